// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/upscaling_family.h"

#include "tulle/core/error.h"
#include "tulle/methods/upscaling/upscaling_stepper.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/scene/families/upscaling/stiffness_of.h"
#include "tulle/scene/families/upscaling/upscaling_course.h"

#include <algorithm>
#include <bit>

namespace tulle::scene {

namespace {

Method coarse_solver(const Scene& scene) { return {.name = scene.upscaling.solver, .variant = {}}; }

methods::FineCloth fine_cloth(const Run& run, const geometry::TriangleMesh& coarsest) {
    return {.mesh = run.model.mesh,
            .grid = run.model.grid,
            .frame_time = run.scene.time.frame_time(),
            .coarsest = coarsest,
            .stiffness = stiffness_of(run.scene, run.model.mesh)};
}

// Large patches meet more often than small ones; those of four triangles are quickest.
std::unique_ptr<methods::ShownContact> make_contact(const Run& run, const physics::ClothModel& coarse, int factor) {
    if (!run.scene.upscaling.contact || !run.world.self_contact.enabled) return nullptr;
    const auto make = [&](geometry::FlatUpsampling all, const geometry::FlatUpsampling& last) {
        return std::make_unique<methods::ShownContact>(run.model, run.world, std::move(all),
                                                       last.corners_around(run.model.mesh.triangles));
    };
    using Flat = geometry::FlatUpsampling;
    if (const auto& grid = run.model.grid)
        return make(Flat(geometry::make_miniature(*grid, factor)),
                    Flat(geometry::make_miniature(*grid, factor % 2 == 0 ? 2 : factor)));
    const int levels = std::countr_zero(static_cast<unsigned>(factor));  // coarsen took no other factor
    const geometry::Hierarchy hierarchy = geometry::mesh_hierarchy(coarse.mesh, levels);
    return make(Flat(hierarchy), Flat(geometry::Hierarchy{{hierarchy.subdivisions.back()}, {}}));
}

}  // namespace

std::vector<std::string> UpscalingFamily::method_names() const {
    std::vector<std::string> names;
    for (const auto& kind : methods::upscaling_kinds()) names.push_back(kind->name());
    names.emplace_back(cascade_name);
    return names;
}

// What follows the colon names the scaling; "paper" is also the paper's features, which only networks have.
std::string UpscalingFamily::read_variant(const std::string& name, const std::string& variant) const {
    std::vector<std::string> variants;
    if (name != cascade_name) variants = methods::scaling_names();
    if (name != cascade_name && !methods::upscaling_kind(name).is_learned()) std::erase(variants, "paper");
    if (std::find(variants.begin(), variants.end(), variant) != variants.end()) return variant;
    std::string others;
    for (const std::string& one : variants) others += fmt::format(" or '{}:{}'", name, one);
    throw Error("method '{}:{}': write '{}'{}", name, variant, name, others);
}

std::unique_ptr<physics::Stepper> UpscalingFamily::make_stepper(const Run& run) const {
    const UpscalingPlan plan = plan_upscaling(run.scene, run.method);
    CoarseScene coarse = coarsen(run.scene, run.model, plan.law);
    physics::World world = make_world(coarse.scene, run.world.colliders);
    world.interaction = run.world.interaction;
    methods::CoarseCloth cloth{.model = std::make_unique<physics::ClothModel>(make_model(coarse.scene)),
                               .world = std::make_unique<physics::World>(std::move(world)),
                               .solver = {},
                               .fine_vertices = std::move(coarse.fine_vertices),
                               .note = std::move(coarse.note)};
    const Method solver = coarse_solver(run.scene);
    cloth.solver = family_of(solver).make_stepper({coarse.scene, *cloth.model, *cloth.world, solver});
    auto upscaler = make_upscaler(plan, fine_cloth(run, cloth.model->mesh));
    auto contact = make_contact(run, *cloth.model, plan.law.factor);
    return std::make_unique<methods::UpscalingStepper>(std::move(cloth), std::move(upscaler), run.model, run.world,
                                                       std::move(contact));
}

int UpscalingFamily::steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method&) const {
    const Method solver = coarse_solver(scene);
    return family_of(solver).steps_per_frame(scene, model, solver);
}

bool UpscalingFamily::leaves_steps_open(const Scene& scene, const Method&) const {
    const Method solver = coarse_solver(scene);
    return family_of(solver).leaves_steps_open(scene, solver);
}

std::string UpscalingFamily::steps_key(const Scene& scene, const Method&) const {
    const Method solver = coarse_solver(scene);
    return family_of(solver).steps_key(scene, solver);
}

std::string UpscalingFamily::advice(const Scene& scene, const Method& method) const {
    const Method solver = coarse_solver(scene);
    const bool is_learned = method.name == cascade_name || methods::upscaling_kind(method.name).is_learned();
    return fmt::format(
        "{} shows a coarser cloth, which {} simulates: for that, {}{}", method.to_string(), solver.to_string(),
        family_of(solver).advice(scene, solver),
        is_learned ? fmt::format("; if `--method bilinear` runs well, the networks of {} have not learnt such a motion",
                                 method.name)
                   : "");
}

std::optional<Teacher> UpscalingFamily::teacher(const Run& run) const {
    const UpscalingPlan plan = plan_upscaling(run.scene, run.method);
    CoarseScene coarse = coarsen(run.scene, run.model, plan.law);
    return Teacher{.upscaler = make_upscaler(plan, fine_cloth(run, make_model(coarse.scene).mesh)),
                   .fine_vertices = std::move(coarse.fine_vertices),
                   .factor = plan.law.factor};
}

std::unique_ptr<const methods::Upscaler> load_upscaler(const Scene& scene, const Method& method) {
    const physics::ClothModel model = make_model(scene);
    const physics::World nothing;
    std::optional<Teacher> teacher = family_of(method).teacher({scene, model, nothing, method});
    if (!teacher) throw Error("{} does not upscale", method.to_string());
    return std::move(teacher->upscaler);
}

std::vector<std::string> UpscalingFamily::trainable_methods() const {
    std::vector<std::string> names;
    for (const auto& kind : methods::upscaling_kinds())
        if (kind->is_learned()) names.push_back(kind->name());
    return names;
}

std::unique_ptr<Course> UpscalingFamily::read_course(TableReader& recipe, const std::string& method,
                                                     const std::string& name) const {
    return std::make_unique<UpscalingCourse>(read_upscaling_course(recipe, method, name));
}

void UpscalingFamily::check_card(const methods::ModelCard& card, const std::string& source) const {
    static_cast<void>(methods::parse_upscaling_card(card, source));
}

}  // namespace tulle::scene
