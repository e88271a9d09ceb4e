// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/methods/force_cell/large_step_fit.h"
#include "tulle/scene/scene.h"

#include <vector>

namespace tulle::scene {

// What a sequence teaches larger steps of a cell. From each recorded state the physics goes on for two large steps in
// double precision: the first gives a mean velocity, the second what should come out. At most so many pairs, spread
// over the sequence. Throws an Error that names it unless it is a grid with velocities.
std::vector<methods::LargeStepPair> large_step_pairs(const datasets::Sequence& sequence, const methods::ForceCell& cell,
                                                     int steps, long most_pairs);

// Mean distance to the recorded frames [m] when larger steps run by themselves from the start.
struct FreeRun {
    double mean = 0, largest = 0;  // over the frames
};
FreeRun free_run(const datasets::Sequence& sequence, const methods::ForceCell& cell, const methods::LargeStep& layer);

}  // namespace tulle::scene
