// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/world.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

namespace tulle::scene {

// Whether a scene with contact leaves it to us how many steps a frame takes.
bool steps_are_chosen(const Scene& scene, const Method& method);

// The fewest steps that a frame of such a scene takes if they are chosen.
int fewest_steps(const Scene& scene);

// How many steps a frame with contact takes where the scene does not say. Contact acts between steps, so in each of
// them nothing moves farther than a part of an edge of the cloth. Depends on the state alone, so that a run can be
// continued with the same bits.
class StepChoice {
public:
    // Both must outlive it.
    StepChoice(const physics::ClothModel& model, const physics::World& world, double frame_time, int fewest);

    // A power of two: solvers keep what they prepared for a length of the step.
    int steps(const physics::ClothState& state) const;

private:
    double fastest(const physics::ClothState& state) const;  // [m/s]

    const physics::ClothModel& model_;
    const physics::World& world_;
    double frame_time_;  // [s]
    int fewest_;
    double mean_edge_;  // [m]
};

}  // namespace tulle::scene
