// SPDX-License-Identifier: Apache-2.0
// The force cell as the paper wrote it, on libtorch: twelve 5×5 convolutions, channel images, autograd. Tests compare
// our cell and its gradient with it; `tulle reproduce` compares the speed.
#pragma once

#include "tulle/methods/force_cell/cell_design.h"
#include "tulle/physics/cloth_state.h"

namespace tulle::training {

struct TorchCellAnswer {
    Forces accelerations;          // |V|×3 [m/s²]; zero where pinned
    double loss = 0;               // mean square error of their components [m²/s⁴], pinned vertices left out
    methods::CellVector gradient;  // of the loss, by each number of the cell
};

// In double precision.
TorchCellAnswer torch_cell(const methods::ForceCell& cell, const geometry::GridSize& size,
                           const methods::CellGrid& grid, const physics::ClothState& state, const Forces& truth);

// Steps of the cell in single precision, without forces from outside: v ← (v + Δt a) kept, x ← x + Δt v.
void torch_cell_steps(const methods::ForceCell& cell, const geometry::GridSize& size, const methods::CellGrid& grid,
                      double dt, double kept, int steps, physics::ClothState& state);

}  // namespace tulle::training
