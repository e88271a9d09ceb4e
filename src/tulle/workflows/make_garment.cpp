// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/make_garment.h"

#include "tulle/body/mannequin.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/obj.h"
#include "tulle/methods/garment/drape.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tulle::workflows {

namespace {

methods::SewingPattern pattern_of(const std::string& name) {
    if (name == "t-shirt") return methods::t_shirt_pattern();
    if (name == "skirt") return methods::skirt_pattern();
    throw Error("there is no garment '{}'; there are {}", name, fmt::join(garment_names(), ", "));
}

scene::Scene draping_scene(const GarmentSettings& settings, const std::string& file, Positions start) {
    const std::string text = fmt::format(R"(
[time]
frame_rate = 30
[cloth]
fabric = "{}"
[garment]
file = "{}"
[body]
friction = 0.3
[forces]
drag = 10
[self_contact]
enabled = true
thickness = 0.004
)",
                                         settings.fabric, file);
    scene::Scene scene = scene::parse_scene(text, "the draping of a garment", settings.folder);
    scene.cloth.start = std::move(start);
    return scene;
}

double longest_edge(const physics::ClothModel& model, const Positions& positions) {
    double longest = 0;
    for (long e = 0; e < model.springs.count(); ++e) {
        const int a = model.springs.edges(e, 0), b = model.springs.edges(e, 1);
        longest = std::max(longest, (positions.row(a) - positions.row(b)).norm() / model.springs.rest_lengths(e));
    }
    return longest;
}

}  // namespace

const std::vector<std::string>& garment_names() {
    static const std::vector<std::string> names = {"t-shirt", "skirt"};
    return names;
}

GarmentReport make_garment(const GarmentSettings& settings) {
    const std::filesystem::path target = settings.folder / (settings.name + ".obj");
    prepare_target(target, io::own_obj_format);  // before the work, not after it
    const methods::SewnGarment sewn = methods::sew(pattern_of(settings.name), settings.spacing);
    const geometry::TriangleMesh rest = methods::rest_shape(sewn);
    const body::Character mannequin = body::make_mannequin();
    const geometry::TriangleMesh body{mannequin.skin.positions, mannequin.triangles, {}};
    const std::string pattern_file = settings.name + "-pattern.obj";
    io::write_obj(settings.folder / pattern_file, rest);
    scene::Simulation simulation(draping_scene(settings, pattern_file, methods::put_on(sewn, rest, body)),
                                 scene::parse_method("admm"));
    GarmentReport report{.vertices = rest.vertex_count(), .edges = geometry::mesh_edges(rest).edges.rows()};
    do {
        (void)simulation.advance_frame();
        ++report.frames;
        report.speed = simulation.state().velocities.rowwise().norm().maxCoeff();
        if (settings.on_frame) report.stopped = !settings.on_frame({report.frames, settings.most_frames});
    } while (!report.stopped && report.frames < settings.most_frames && report.speed > settings.restful_speed);
    const Positions& positions = simulation.state().positions;
    report.longest = longest_edge(simulation.model(), positions);
    report.crossings = static_cast<long>(collision::find_crossings(positions, rest.triangles).size());
    report.cuts = static_cast<long>(collision::find_cuts(positions, rest.triangles, body).size());
    if (!report.stopped)
        io::write_obj(target, {positions, rest.triangles, rest.tex_coords}, {.single_precision = true});
    return report;
}

}  // namespace tulle::workflows
