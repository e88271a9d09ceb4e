// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/describe_scene.h"

#include "tulle/scene/build.h"
#include "tulle/scene/step_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tulle::workflows {

SceneSummary describe_scene(const std::filesystem::path& path) {
    const scene::Scene scene = scene::load_scene(path);
    const physics::ClothModel model = scene::make_model(scene);
    const physics::World world = scene::make_world(scene);
    SceneSummary summary{.path = path.string(),
                         .name = scene.name,
                         .description = scene.description,
                         .method = scene.method,
                         .vertices = model.vertex_count(),
                         .triangles = model.mesh.triangle_count(),
                         .springs = model.springs.count(),
                         .hinges = model.hinges.count(),
                         .total_mass = model.masses.sum(),
                         .frames = scene.time.frames,
                         .frame_rate = scene.time.frame_rate,
                         .steps_per_frame = scene::steps_per_frame(scene, model, scene::parse_method(scene.method)),
                         .steps_are_chosen = scene::steps_are_chosen(scene, scene::parse_method(scene.method)),
                         .colliders = {},
                         .self_contact = scene.self_contact.enabled};
    if (model.grid) {
        summary.grid_rows = model.grid->rows;
        summary.grid_columns = model.grid->columns;
    }
    for (const physics::PinGroup& group : model.pins) summary.pins += static_cast<long>(group.vertices.size());
    for (const collision::Collider& collider : *world.colliders) summary.colliders.push_back(collider.name);
    return summary;
}

std::string to_text(const SceneSummary& s) {
    std::string text = fmt::format("{}: scene '{}'\n", s.path, s.name);
    if (!s.description.empty()) text += fmt::format("  {}\n", s.description);
    text += s.grid_rows > 0 ? fmt::format("  cloth      {} rows x {} columns, {} vertices, {} triangles\n", s.grid_rows,
                                          s.grid_columns, s.vertices, s.triangles)
                            : fmt::format("  cloth      mesh of {} vertices, {} triangles\n", s.vertices, s.triangles);
    text += fmt::format("  elements   {} springs, {} hinges, {} pinned vertices, {:.4g} kg\n", s.springs, s.hinges,
                        s.pins, s.total_mass);
    text += fmt::format("  time       {} frames at {:g}/s, {:.4g} s in all\n", s.frames, s.frame_rate,
                        s.frames / s.frame_rate);
    text += s.steps_are_chosen ? fmt::format("  method     {}, steps chosen for each frame\n", s.method)
                               : fmt::format("  method     {}, {} step{} per frame\n", s.method, s.steps_per_frame,
                                             s.steps_per_frame == 1 ? "" : "s");
    text += fmt::format("  colliders  {}{}\n",
                        s.colliders.empty() ? "none" : fmt::format("{}", fmt::join(s.colliders, ", ")),
                        s.self_contact ? "; the cloth collides with itself" : "");
    return text + "  sound      yes";
}

std::string to_json(const SceneSummary& s) {
    return nlohmann::json{{"file", s.path},
                          {"kind", "scene"},
                          {"name", s.name},
                          {"description", s.description},
                          {"method", s.method},
                          {"vertices", s.vertices},
                          {"triangles", s.triangles},
                          {"grid", {s.grid_rows, s.grid_columns}},
                          {"springs", s.springs},
                          {"hinges", s.hinges},
                          {"pins", s.pins},
                          {"total_mass", s.total_mass},
                          {"frames", s.frames},
                          {"frame_rate", s.frame_rate},
                          {"steps_per_frame", s.steps_per_frame},
                          {"steps_are_chosen", s.steps_are_chosen},
                          {"colliders", s.colliders},
                          {"self_contact", s.self_contact},
                          {"sound", true}}
        .dump();
}

}  // namespace tulle::workflows
