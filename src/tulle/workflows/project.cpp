// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/project.h"

#include "tulle/core/error.h"
#include "tulle/core/median.h"
#include "tulle/core/timer.h"
#include "tulle/core/version.h"
#include "tulle/io/cache_writer.h"
#include "tulle/scene/build.h"
#include "tulle/workflows/require_other_file.h"

#include <algorithm>

namespace tulle::workflows {

namespace {

// Masses and pins of our own caches are those of their scene; all else has masses by area.
projections::Cloth cloth_of(const ProjectSettings& settings, const io::CacheHeader& header) {
    const Positions& rest = header.mesh.positions;
    projections::Cloth cloth =
        projections::cloth_of_areas(rest, header.mesh.triangles, settings.fixed.value_or(std::vector<int>()));
    if (header.scene.empty() || settings.fixed) return cloth;
    try {
        const scene::Scene scene =
            scene::parse_scene(header.scene, header.scene_name, settings.source.path.parent_path());
        const physics::ClothModel model = scene::make_model(scene);
        if (model.vertex_count() != rest.rows())
            throw Error("its scene has a cloth of {} vertices", model.vertex_count());
        cloth.masses = model.masses;
        for (const physics::PinGroup& group : model.pins)
            cloth.fixed.insert(cloth.fixed.end(), group.vertices.begin(), group.vertices.end());
    } catch (const Error& error) {
        throw Error("the pins of '{}' cannot be found: {}; name them with --fixed, or give --fixed none",
                    settings.source.path.string(), error.what());
    }
    return cloth;
}

io::CacheHeader mended_header(const io::CacheHeader& header, const std::string& name) {
    io::CacheHeader mended = header;
    mended.method = header.method.empty() ? name : header.method + "+" + name;
    mended.program_version = version;
    mended.has_velocities = false;
    return mended;
}

void take(const projections::ProjectionReport& frame, ProjectReport& report) {
    report.gap = std::max(report.gap, frame.gap);
    report.violation = std::max(report.violation, frame.violation);
    report.gradient = std::max(report.gradient, frame.gradient);
    report.pin_stretch = std::max(report.pin_stretch, frame.pin_stretch);
    if (frame.solved) return;
    if (report.unsolved.empty()) report.problem = frame.problem;
    report.unsolved.push_back(report.frames);
}

}  // namespace

ProjectReport project(const ProjectSettings& settings) {
    require_other_file(settings.source.path, settings.cache, "its own mended version");
    if (!settings.projection.is_any()) throw Error("nothing to do; give --inextensible, --quasistatic or both");
    const std::unique_ptr<Animation> source = open_animation(settings.source);
    const io::CacheHeader& header = source->header();
    const projections::Cloth cloth = cloth_of(settings, header);
    const std::unique_ptr<const projections::Projection> projection =
        projections::make_projection(cloth, settings.projection);
    const Edges edges = projections::edges_of(cloth.triangles);
    VectorX lengths(edges.rows());
    for (long e = 0; e < edges.rows(); ++e)
        lengths(e) = (cloth.rest_positions.row(edges(e, 0)) - cloth.rest_positions.row(edges(e, 1))).norm();
    ProjectReport report{.projection = settings.projection.name(),
                         .particles = header.mesh.vertex_count(),
                         .fixed = static_cast<long>(cloth.fixed.size())};
    io::CacheHeader mended_cache = mended_header(header, report.projection);
    mended_cache.planned_frames = source->frame_count();
    io::CacheWriter writer(settings.cache, mended_cache, {.overwrite = true});
    std::vector<double> costs, iterations;
    std::optional<projections::Projected> previous;
    for (long f = 0; f < source->frame_count() && !report.stopped; ++f) {
        io::CacheFrame frame = source->frame(f);
        const Stopwatch watch;
        projections::Projected mended =
            projection->apply(frame.positions, {.previous = previous ? &*previous : nullptr});
        frame.milliseconds = watch.milliseconds();
        costs.push_back(frame.milliseconds);
        iterations.push_back(mended.report.iterations);
        report.before.join(projections::stretch_range(edges, lengths, frame.positions));
        report.after.join(projections::stretch_range(edges, lengths, mended.positions));
        take(mended.report, report);
        frame.positions = mended.positions;
        frame.velocities = {};
        writer.append(frame);
        previous = std::move(mended);
        ++report.frames;
        if (settings.on_frame) report.stopped = !settings.on_frame({report.frames, source->frame_count()});
    }
    writer.close(report.stopped && report.frames < source->frame_count() ? "stopped" : "");
    report.cost = frame_cost(costs);
    if (!iterations.empty()) report.iterations = median(iterations);
    return report;
}

}  // namespace tulle::workflows
