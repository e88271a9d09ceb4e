// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/make_garment.h"

#include "tulle/body/mannequin.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/obj.h"
#include "tulle/methods/garment/drape.h"
#include "tulle/workflows/drape_pose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tulle::workflows {

namespace {

methods::SewingPattern pattern_of(const std::string& name) {
    if (name == "t-shirt") return methods::t_shirt_pattern();
    if (name == "skirt") return methods::skirt_pattern();
    throw Error("there is no garment '{}'; there are {}", name, fmt::join(garment_names(), ", "));
}

scene::Scene draping_scene(const GarmentSettings& settings, const std::string& file) {
    const std::string text = fmt::format(R"(
[time]
frame_rate = 30
[cloth]
fabric = "{}"
[cloth.membrane]
stretch = {}
[garment]
file = "{}"
[body]
friction = 0.3
[self_contact]
enabled = true
thickness = 0.004
)",
                                         settings.fabric, settings.stretch, file);
    return scene::parse_scene(text, "the draping of a garment", settings.folder);
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
    const DrapedBody draped(draping_scene(settings, pattern_file));
    GarmentReport report{.vertices = rest.vertex_count(), .edges = geometry::mesh_edges(rest).edges.rows()};
    const auto on_step = [&] {
        ++report.steps;
        if (settings.on_step) report.stopped = !settings.on_step({report.steps, settings.most_steps});
        return !report.stopped;
    };
    const DrapeOutcome outcome =
        draped.drape_at_rest(methods::put_on(sewn, rest, body),
                             {.most_steps = settings.most_steps, .restful_speed = settings.restful_speed}, on_step);
    if (report.stopped) return report;
    report.speed = outcome.speed;
    report.mean_speed = outcome.mean_speed;
    report.longest = outcome.longest_edge;
    report.crossings = static_cast<long>(collision::find_crossings(outcome.positions, rest.triangles).size());
    report.cuts = static_cast<long>(collision::find_cuts(outcome.positions, rest.triangles, body).size());
    io::write_obj(target, {outcome.positions, rest.triangles, rest.tex_coords}, {.single_precision = true});
    return report;
}

}  // namespace tulle::workflows
