// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/upscale.h"

#include "tulle/core/error.h"
#include "tulle/core/temporary_file.h"
#include "tulle/core/version.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/export.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/workflows/cloth_to_upscale.h"
#include "tulle/workflows/require_other_file.h"
#include "tulle/workflows/vertex_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tulle::workflows {

namespace {

namespace fs = std::filesystem;

bool is_cache(const fs::path& path) { return path.extension() == ".h5" || path.extension() == ".part"; }

// A scene that says no more than what weights are chosen by. Only a cache knows a scene; a file's name means nothing.
scene::Scene scene_for(const UpscaleSettings& settings, const io::CacheHeader& coarse,
                       const std::optional<geometry::GridSize>& grid) {
    scene::Scene scene;
    scene.name = coarse.scene_name;
    scene.source = settings.source.path.string();
    scene.folder = "scenes";
    scene.upscaling.factor = settings.factor;
    scene.upscaling.weights = settings.weights;
    if (!is_cache(settings.source.path)) scene.upscaling.trained_on = "general";
    scene.cloth.shape = scene::MeshPlacement{};
    if (grid)
        scene.cloth.shape = scene::GridShape{
            .size = {(grid->rows - 1) * settings.factor + 1, (grid->columns - 1) * settings.factor + 1},
            .placement = {}};
    return scene;
}

scene::Method method_for(const UpscaleSettings& settings, bool is_grid) {
    const scene::Method method =
        scene::parse_method(!settings.method.empty() ? settings.method : (is_grid ? "miniature" : "hierarchy"));
    std::vector<std::string> names;
    for (const auto& kind : methods::upscaling_kinds()) names.push_back(kind->name());
    if (std::find(names.begin(), names.end(), method.name) == names.end())
        throw Error("'{}' does not upscale an animation; the methods that do are {}", method.to_string(),
                    fmt::join(names, ", "));
    return method;
}

io::CacheHeader fine_header(const Animation& source, const ClothToUpscale& cloth, const std::string& method) {
    io::CacheHeader header = source.header();
    header.mesh = cloth.result();
    header.grid = cloth.keeps_grid_numbers() ? *cloth.fine().grid : geometry::GridSize{0, 0};
    header.method = method;
    header.program_version = version;
    header.has_velocities = false;
    header.planned_frames = source.frame_count();
    return header;
}

// Of files that cannot say what they are.
void check_order(const UpscaleSettings& settings, const Animation& source) {
    const io::CacheHeader& header = source.header();
    const std::string name = settings.source.path.string();
    if (is_cache(settings.source.path)) return;
    const Positions first = source.frame(0).positions;
    if (header.grid.rows > 0) return check_grid_order(first, header.grid, name);
    const fs::path& rest = settings.source.rest;
    geometry::check_cloth_mesh(header.mesh, rest.empty() ? name : rest.string());
    if (!rest.empty()) check_mesh_order(first, header.mesh, name, rest.string());
}

// The last frames, oldest first; before the first the cloth stood still.
class Upscaling {
public:
    Upscaling(const methods::Upscaler& upscaler, const ClothToUpscale& cloth) : upscaler_(upscaler), cloth_(cloth) {}

    // Puts the fine positions in place of the coarse ones; returns how many pieces have collapsed.
    long apply(io::CacheFrame& frame) {
        Positions coarse = cloth_.for_upscaler(std::move(frame.positions));
        if (seen_.empty()) seen_.assign(static_cast<size_t>(upscaler_.frames_seen()), coarse);
        std::rotate(seen_.begin(), seen_.begin() + 1, seen_.end());
        seen_.back() = std::move(coarse);
        Positions fine;
        const methods::UpscaleReport report = upscaler_.upscale(seen_, fine);
        frame.positions = cloth_.for_owner(std::move(fine));
        frame.velocities = {};
        if (upscaler_.tells_bounds()) frame.bounds = cloth_.for_owner(upscaler_.vertex_bounds(report));
        return report.collapsed_pieces;
    }

private:
    const methods::Upscaler& upscaler_;
    const ClothToUpscale& cloth_;
    std::vector<Positions> seen_;
};

UpscaleReport upscale_into(const UpscaleSettings& settings, const Animation& source, const fs::path& cache) {
    const io::CacheHeader& coarse = source.header();
    check_order(settings, source);
    const ClothToUpscale cloth(
        coarse, settings.factor,
        is_cache(settings.source.path) ? ClothToUpscale::Recognise::Polygons : ClothToUpscale::Recognise::Grids);
    const scene::Method method = method_for(settings, cloth.grid().has_value());
    const scene::UpscalingPlan plan = scene::plan_upscaling(scene_for(settings, coarse, cloth.grid()), method);
    const std::unique_ptr<methods::Upscaler> upscaler = scene::make_upscaler(plan, cloth.fine());
    UpscaleReport report{.method = method.to_string(),
                         .weights = plan.stages.front().model ? plan.stages.front().model->source : "",
                         .coarse_particles = upscaler->coarse_count(),
                         .particles = upscaler->fine_count(),
                         .grid = cloth.grid(),
                         .frame_rate = coarse.frame_rate,
                         .frame_numbers = source.frame_numbers()};
    const std::string label = fmt::format("upscale {} x{}", report.method, settings.factor);
    io::CacheHeader header = fine_header(source, cloth, label);
    header.has_bounds = upscaler->tells_bounds();
    io::CacheWriter writer(cache, header, {.overwrite = true});
    Upscaling upscaling(*upscaler, cloth);
    std::vector<double> costs;
    for (long f = 0; f < source.frame_count() && !report.stopped; ++f) {
        io::CacheFrame frame = source.frame(f);
        const Stopwatch watch;
        report.counters.add("collapsed_pieces", upscaling.apply(frame));
        frame.milliseconds = watch.milliseconds();
        costs.push_back(frame.milliseconds);
        writer.append(frame);
        ++report.frames;
        if (settings.on_frame) report.stopped = !settings.on_frame({report.frames, source.frame_count()});
    }
    writer.close(report.stopped && report.frames < source.frame_count() ? "stopped" : "");
    report.cost = frame_cost(costs);
    return report;
}

// By way of a cache beside the target, which is removed in any case.
UpscaleReport upscale_and_export(const UpscaleSettings& settings, const Animation& source) {
    const io::ExportFormat format = io::export_format_of(settings.output);
    io::prepare_export(format, settings.output, source.frame_count());
    const fs::path beside = fs::path(settings.output / "").parent_path();  // of a folder without its last slash
    const TemporaryFile folder(beside, TemporaryFile::Kind::Folder);
    UpscaleReport report = upscale_into(settings, source, folder.path() / "fine.h5");
    const auto stop = [&] { throw Error("stopped; nothing was written to '{}'", settings.output.string()); };
    if (report.stopped) stop();
    const io::CacheReader fine(folder.path() / "fine.h5");
    const auto progress = [&](double done) {
        if (settings.on_export && !settings.on_export(done)) stop();
    };
    io::export_cache(fine, format, settings.output,
                     {.overwrite = true,
                      .progress = progress,
                      .up_axis = settings.source.up_axis,
                      .first_frame = report.frame_numbers.first,
                      .frame_step = report.frame_numbers.step});
    return report;
}

}  // namespace

UpscaleReport upscale(const UpscaleSettings& settings) {
    require_other_file(settings.source.path, settings.output, "its own fine version");
    require_other_file(settings.source.rest, fs::path(settings.output).replace_extension(".obj"), "the fine mesh");
    if (is_cache(settings.source.path) && !settings.source.rest.empty())
        throw Error("'{}' says itself what mesh it is; leave --mesh out", settings.source.path.string());
    const std::unique_ptr<Animation> source = open_animation(settings.source);
    if (source->frame_count() == 0) throw Error("'{}' has no frames", settings.source.path.string());
    return is_cache(settings.output) ? upscale_into(settings, *source, settings.output)
                                     : upscale_and_export(settings, *source);
}

}  // namespace tulle::workflows
