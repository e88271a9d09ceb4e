// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/counters.h"
#include "tulle/core/timer.h"
#include "tulle/physics/cloth_state.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tulle::physics {

struct StepReport {
    int iterations = 0;   // of the last step
    double residual = 0;  // of the last step, relative; 0 where a solver has none
    // Summed over the steps. Of the contact pass: "truncated_vertices" had to move with others so that nothing passes,
    // "unresolved_contacts" are pairs that pins or colliders forced through each other. Of upscaling:
    // "collapsed_pieces" were interpolated, "pushed_out_vertices" out of colliders, "shown_contacts" pushed apart, and
    // "returned_vertices" taken back to the coarse cloth. Of a projection: "unsolved_projections" were not within their
    // tolerance. Of garments: "poses_outside" of what was trained.
    Counters counters;
    StageTimes stages;  // summed over the steps
};

// A way to advance a cloth: a solver or a learned method.
class Stepper {
public:
    virtual ~Stepper() = default;

    // Advances `state` by `steps` steps of `dt` [s]. Taking several at once gives the same bits as one at a time and
    // lets a solver keep its own memory layout in between.
    virtual StepReport advance(ClothState& state, double dt, int steps) = 0;

    // What a user should know before it runs; empty: nothing.
    virtual std::string note() const { return {}; }

    // Whether it says how far off its cloth may be; then |V| [m] that nine of ten vertices of the last frame should
    // keep.
    virtual bool tells_bounds() const { return false; }
    virtual Eigen::VectorXf bounds() const { return {}; }

    // What a stepper remembers beyond the state, so that a run can be interrupted; a solver remembers nothing.
    virtual std::vector<std::byte> memory() const { return {}; }
    virtual void set_memory(std::span<const std::byte>) {}
};

}  // namespace tulle::physics
