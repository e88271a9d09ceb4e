// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"
#include "tulle/scene/families/upscaling/plan.h"

namespace tulle::scene {

namespace {

const methods::UpscalingModel* model_of(const PlannedStage& stage) { return stage.model ? &*stage.model : nullptr; }

// Stages are built from the finest down, because the fine cloth is what is known.
std::unique_ptr<methods::Upscaler> make_grid_upscaler(const UpscalingPlan& plan, methods::FineCloth fine) {
    std::vector<std::unique_ptr<methods::Upscaler>> stages(plan.stages.size());
    for (size_t i = stages.size(); i-- > 0;) {
        const PlannedStage& stage = plan.stages[i];
        stages[i] = stage.kind->make_upscaler(fine, stage.factor, model_of(stage));
        const geometry::Miniature miniature = geometry::make_miniature(*fine.grid, stage.factor);
        fine.mesh.positions = geometry::sample(miniature.fine_vertices(), fine.mesh.positions);
        fine.grid = miniature.coarse;
    }
    if (stages.size() == 1) return std::move(stages.front());
    return std::make_unique<methods::CascadeUpscaler>(std::move(stages));
}

}  // namespace

std::unique_ptr<methods::Upscaler> make_upscaler(const UpscalingPlan& plan, const methods::FineCloth& fine) {
    if (fine.grid) return make_grid_upscaler(plan, fine);
    if (plan.stages.size() != 1) throw Error("a cloth that is no grid can only be upscaled by hierarchy or butterfly");
    const PlannedStage& stage = plan.stages.front();
    return stage.kind->make_upscaler(fine, stage.factor, model_of(stage));
}

}  // namespace tulle::scene
