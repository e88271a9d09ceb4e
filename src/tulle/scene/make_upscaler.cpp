// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/methods/cascade/cascade_upscaler.h"
#include "tulle/methods/interpolation_upscaler.h"
#include "tulle/methods/upscaling_stepper.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/upscaling.h"

#include <bit>
#include <cmath>

namespace tulle::scene {

namespace {

int levels_of(int factor) {
    if (!std::has_single_bit(static_cast<unsigned>(factor)))
        throw Error("the hierarchy method halves cells, so its factor is a power of two, not {}", factor);
    return std::countr_zero(static_cast<unsigned>(factor));
}

geometry::Interpolation parse_interpolation(const std::string& name) {
    if (name == "bilinear") return geometry::Interpolation::Bilinear;
    return name == "biquadratic" ? geometry::Interpolation::Biquadratic : geometry::Interpolation::Bicubic;
}

std::unique_ptr<methods::Upscaler> make_grid_stage(const PlannedStage& stage, const geometry::GridSize& size,
                                                   const Positions& rest, double frame_time) {
    if (stage.method == "hierarchy")
        return make_hierarchy_upscaler(*stage.model, geometry::grid_hierarchy(size, levels_of(stage.factor)), rest);
    const geometry::Miniature miniature = geometry::make_miniature(size, stage.factor);
    if (stage.model) return make_patch_upscaler(*stage.model, miniature, rest, frame_time);
    return std::make_unique<methods::InterpolationUpscaler>(miniature, parse_interpolation(stage.method));
}

// Stages are built from the finest down, because the fine cloth is what is known.
std::unique_ptr<methods::Upscaler> make_grid_upscaler(const UpscalingPlan& plan, const FineCloth& fine) {
    std::vector<std::unique_ptr<methods::Upscaler>> stages(plan.stages.size());
    geometry::GridSize size = *fine.grid;
    Positions rest = fine.mesh.positions;
    for (size_t i = stages.size(); i-- > 0;) {
        stages[i] = make_grid_stage(plan.stages[i], size, rest, fine.frame_time);
        const geometry::Miniature miniature = geometry::make_miniature(size, plan.stages[i].factor);
        rest = geometry::sample(miniature.fine_vertices(), rest);
        size = miniature.coarse;
    }
    if (stages.size() == 1) return std::move(stages.front());
    return std::make_unique<methods::CascadeUpscaler>(std::move(stages));
}

std::unique_ptr<physics::Stepper> make_coarse_solver(const Scene& scene, const physics::ClothModel& model,
                                                     const physics::World& world) {
    return physics::make_solver(model, world, scene.solvers.at(scene.upscaling.solver).settings);
}

}  // namespace

std::unique_ptr<methods::Upscaler> make_upscaler(const UpscalingPlan& plan, const FineCloth& fine) {
    if (fine.grid) return make_grid_upscaler(plan, fine);
    if (plan.stages.size() != 1 || plan.stages.front().method != "hierarchy")
        throw Error("a cloth that is no grid can only be upscaled by the hierarchy method");
    return make_hierarchy_upscaler(*plan.stages.front().model,
                                   geometry::mesh_hierarchy(fine.coarsest, levels_of(plan.law.factor)),
                                   fine.mesh.positions);
}

std::unique_ptr<physics::Stepper> make_upscaling_stepper(const Scene& scene, const physics::ClothModel& model,
                                                         const physics::World& world, const Method& method) {
    const UpscalingPlan plan = plan_upscaling(scene, method);
    CoarseScene coarse = coarsen(scene, model, plan.law);
    methods::CoarseCloth cloth{.model = std::make_unique<physics::ClothModel>(make_model(coarse.scene)),
                               .world = std::make_unique<physics::World>(make_world(coarse.scene)),
                               .solver = {},
                               .fine_vertices = std::move(coarse.fine_vertices),
                               .note = std::move(coarse.note)};
    cloth.solver = make_coarse_solver(coarse.scene, *cloth.model, *cloth.world);
    auto upscaler = make_upscaler(
        plan,
        {.mesh = model.mesh, .grid = model.grid, .frame_time = scene.time.frame_time(), .coarsest = cloth.model->mesh});
    return std::make_unique<methods::UpscalingStepper>(std::move(cloth), std::move(upscaler), model, world);
}

}  // namespace tulle::scene
