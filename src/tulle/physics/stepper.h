// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"
#include "tulle/physics/cloth_state.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tulle::physics {

struct StepReport {
    int iterations = 0;           // of the last step
    double residual = 0;          // of the last step, relative; 0 where a solver has none
    int truncated_vertices = 0;   // held back by the contact pass so that nothing passes through, summed over the steps
    int unresolved_contacts = 0;  // pairs the contact pass could not keep apart, because pins or colliders forced them
    long collapsed_pieces = 0;    // of a learned method: pieces of cloth that were interpolated, summed likewise
    long pushed_out = 0;          // of a learned method: shown vertices moved out of colliders, summed likewise
    StageTimes stages;            // summed over the steps
};

// A way to advance a cloth: a solver, or later a learned method.
class Stepper {
public:
    virtual ~Stepper() = default;

    // Advances `state` by `steps` steps of `dt` [s]. Taking several at once gives the same bits as one at a time and
    // lets a solver keep its own memory layout in between.
    virtual StepReport advance(ClothState& state, double dt, int steps) = 0;

    // What a user should know before it runs; empty: nothing.
    virtual std::string note() const { return {}; }

    // What a stepper remembers beyond the state, so that a run can be interrupted; a solver remembers nothing.
    virtual std::vector<std::byte> memory() const { return {}; }
    virtual void recall(std::span<const std::byte>) {}
};

}  // namespace tulle::physics
