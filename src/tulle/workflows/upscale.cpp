// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/upscale.h"

#include "tulle/core/error.h"
#include "tulle/core/version.h"
#include "tulle/geometry/miniature.h"
#include "tulle/geometry/subdivision.h"
#include "tulle/geometry/upsampling.h"
#include "tulle/io/cache_writer.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/workflows/coarse_animation.h"
#include "tulle/workflows/require_other_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tulle::workflows {

namespace {

methods::FineCloth fine_grid(const io::CacheHeader& coarse, int factor) {
    const geometry::GridSize size{(coarse.grid.rows - 1) * factor + 1, (coarse.grid.columns - 1) * factor + 1};
    methods::FineCloth fine{.mesh = geometry::make_grid_cloth(size, {}).mesh, .grid = size, .coarsest = {}};
    geometry::Upsampling(geometry::make_miniature(size, factor), geometry::Interpolation::Bilinear)
        .apply(coarse.mesh.positions, fine.mesh.positions);
    return fine;
}

methods::FineCloth fine_mesh(const io::CacheHeader& coarse, int factor) {
    methods::FineCloth fine{.mesh = coarse.mesh, .grid = {}, .coarsest = coarse.mesh};
    for (; factor > 1; factor /= 2) fine.mesh = geometry::refine(fine.mesh, geometry::subdivide(fine.mesh));
    return fine;
}

methods::FineCloth fine_cloth(const io::CacheHeader& coarse, int factor) {
    const double vertices = static_cast<double>(coarse.mesh.vertex_count()) * factor * factor;
    if (vertices > scene::max_particles)
        throw Error("{} vertices made finer by {} are about {:.0f}; at most {} are allowed", coarse.mesh.vertex_count(),
                    factor, vertices, scene::max_particles);
    methods::FineCloth fine = coarse.grid.rows > 0 ? fine_grid(coarse, factor) : fine_mesh(coarse, factor);
    fine.frame_time = 1 / coarse.frame_rate;
    return fine;
}

// A scene that says no more than what weights are chosen by.
scene::Scene scene_for(const UpscaleSettings& settings, const io::CacheHeader& coarse) {
    scene::Scene scene;
    scene.name = coarse.scene_name;
    scene.source = settings.source.string();
    scene.folder = "scenes";
    scene.upscaling.factor = settings.factor;
    scene.upscaling.weights = settings.weights;
    scene.cloth.shape = scene::MeshPlacement{};
    if (coarse.grid.rows > 0)
        scene.cloth.shape = scene::GridShape{
            .size = {(coarse.grid.rows - 1) * settings.factor + 1, (coarse.grid.columns - 1) * settings.factor + 1},
            .placement = {}};
    return scene;
}

scene::Method method_for(const UpscaleSettings& settings, const io::CacheHeader& coarse) {
    const scene::Method method = scene::parse_method(
        !settings.method.empty() ? settings.method : (coarse.grid.rows > 0 ? "miniature" : "hierarchy"));
    std::vector<std::string> names;
    for (const auto& kind : methods::upscaling_kinds()) names.push_back(kind->name());
    if (std::find(names.begin(), names.end(), method.name) == names.end())
        throw Error("'{}' does not upscale an animation; the methods that do are {}", method.to_string(),
                    fmt::join(names, ", "));
    return method;
}

io::CacheHeader fine_header(const io::CacheHeader& coarse, const methods::FineCloth& fine, const std::string& method) {
    io::CacheHeader header = coarse;
    header.mesh = fine.mesh;
    header.grid = fine.grid.value_or(geometry::GridSize{0, 0});
    header.method = method;
    header.program_version = version;
    header.has_velocities = false;
    return header;
}

// Puts the fine positions in place of the coarse ones; returns how many pieces have collapsed. `seen` are the last
// frames, oldest first; before the first the cloth stood still.
long upscale_frame(const methods::Upscaler& upscaler, std::vector<Positions>& seen, io::CacheFrame& frame) {
    if (seen.empty()) seen.assign(static_cast<size_t>(upscaler.frames_seen()), frame.positions);
    std::rotate(seen.begin(), seen.begin() + 1, seen.end());
    seen.back() = std::move(frame.positions);
    frame.positions = {};
    frame.velocities = {};
    const methods::UpscaleReport report = upscaler.upscale(seen, frame.positions);
    if (upscaler.tells_bounds()) frame.bounds = upscaler.vertex_bounds(report);
    return report.collapsed_pieces;
}

}  // namespace

UpscaleReport upscale(const UpscaleSettings& settings) {
    require_other_file(settings.source, settings.cache, "its own fine version");
    const std::unique_ptr<Animation> source = open_coarse_animation(settings);
    const io::CacheHeader& coarse = source->header();
    const scene::Method method = method_for(settings, coarse);
    const scene::UpscalingPlan plan = scene::plan_upscaling(scene_for(settings, coarse), method);
    const methods::FineCloth fine = fine_cloth(coarse, settings.factor);
    const std::unique_ptr<methods::Upscaler> upscaler = scene::make_upscaler(plan, fine);
    UpscaleReport report{.method = method.to_string(),
                         .weights = plan.stages.front().model ? plan.stages.front().model->source : "",
                         .coarse_particles = upscaler->coarse_count(),
                         .particles = upscaler->fine_count()};
    const std::string label = fmt::format("upscale {} x{}", report.method, settings.factor);
    io::CacheHeader header = fine_header(coarse, fine, label);
    header.planned_frames = source->frame_count();
    header.has_bounds = upscaler->tells_bounds();
    io::CacheWriter writer(settings.cache, header, {.overwrite = true});
    std::vector<Positions> seen;
    std::vector<double> costs;
    for (long f = 0; f < source->frame_count() && !report.stopped; ++f) {
        io::CacheFrame frame = source->frame(f);
        const Stopwatch watch;
        report.counters.add("collapsed_pieces", upscale_frame(*upscaler, seen, frame));
        frame.milliseconds = watch.milliseconds();
        costs.push_back(frame.milliseconds);
        writer.append(frame);
        ++report.frames;
        if (settings.on_frame) report.stopped = !settings.on_frame({report.frames, source->frame_count()});
    }
    writer.close(report.stopped && report.frames < source->frame_count() ? "stopped" : "");
    report.cost = frame_cost(costs);
    return report;
}

}  // namespace tulle::workflows
