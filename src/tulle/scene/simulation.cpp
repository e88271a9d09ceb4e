// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/simulation.h"

#include "tulle/scene/build.h"

#include <fmt/format.h>

namespace tulle::scene {

void require_sense(const physics::ClothState& state) {
    const auto is_within = [](const auto& row, double limit) { return row.squaredNorm() <= limit * limit; };
    for (int v = 0; v < state.positions.rows(); ++v) {
        const bool is_near = is_within(state.positions.row(v), farthest_sense);  // not if it is not a number
        const bool is_slow = is_within(state.velocities.row(v), fastest_sense);
        if (is_near && is_slow) continue;
        throw LeftSense(v, state.time,
                        is_near ? fmt::format("vertex {} moves at {:.3g} m/s at {:.4g} s", v,
                                              state.velocities.row(v).norm(), state.time)
                                : fmt::format("vertex {} is {:.3g} m away at {:.4g} s", v,
                                              state.positions.row(v).norm(), state.time));
    }
}

Simulation::Simulation(Scene scene, const Method& method)
    : scene_(std::move(scene)),
      model_(std::make_unique<physics::ClothModel>(make_model(scene_))),
      world_(std::make_unique<physics::World>(make_world(scene_))),
      steps_per_frame_(scene::steps_per_frame(scene_, *model_, method)),
      stepper_(make_stepper(scene_, *model_, *world_, method)),
      state_(initial_state(scene_, *model_)) {}

physics::StepReport Simulation::advance_frame() {
    physics::StepReport report = stepper_->advance(state_, dt(), steps_per_frame_);
    require_sense(state_);
    return report;
}

}  // namespace tulle::scene
