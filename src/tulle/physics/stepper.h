// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"
#include "tulle/physics/cloth_state.h"

namespace tulle::physics {

struct StepReport {
    int iterations = 0;           // of the last step
    double residual = 0;          // of the last step, relative; 0 where a solver has none
    int truncated_vertices = 0;   // held back by the contact pass so that nothing passes through, summed over the steps
    int unresolved_contacts = 0;  // pairs the contact pass could not keep apart, because pins or colliders forced them
    StageTimes stages;            // summed over the steps
};

// A way to advance a cloth: a solver, or later a learned method.
class Stepper {
public:
    virtual ~Stepper() = default;

    // Advances `state` by `steps` steps of `dt` [s]. Taking several at once gives the same bits as one at a time and
    // lets a solver keep its own memory layout in between.
    virtual StepReport advance(ClothState& state, double dt, int steps) = 0;
};

}  // namespace tulle::physics
