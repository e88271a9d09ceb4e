// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/methods/force_cell/cell_samples.h"
#include "tulle/scene/scene.h"

#include <vector>

namespace tulle::scene {

// What a sequence teaches a cell: its recorded states, each with the accelerations that physics gives it now. The step
// is taken again instead of being recorded, because a cache keeps single precision.
struct CellLesson {
    Scene scene;
    methods::TaughtMaterial material;
    double dt = 0;  // [s] of a step
    std::vector<methods::CellState> states;
};

// At most so many states, spread over the sequence. Throws an Error that names it unless it is a grid with velocities.
CellLesson cell_lesson(const datasets::Sequence& sequence, long most_states);

}  // namespace tulle::scene
