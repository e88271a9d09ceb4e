// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/cell_design.h"

#include <memory>
#include <utility>
#include <vector>

namespace tulle::methods {

// One recorded state, and what physics makes of it in the step that follows.
struct CellState {
    std::shared_ptr<const CellGrid> grid;  // the same for all states of a sequence
    Positions positions;                   // |V|×3 [m]
    Velocities velocities;                 // |V|×3 [m/s]
    Forces accelerations;                  // |V|×3 [m/s²] by springs, dashpots and gravity: what the cell should say
    double dt = 0;                         // [s]
    double kept = 1;                       // of the new velocity, after drag
};

// Equation 8: what is made small is share · MSE of the impulses + (1 − share) · MSE of the next state [x, v]. Forces
// from outside and drag do the same to both states, so that both errors are multiples of the same one.
double loss_weight(const CellState& state, double physics_share);  // of |acceleration error|²

// Vertices of states, those that are pinned left out: the samples that a cell learns from.
class CellSamples {
public:
    explicit CellSamples(std::vector<CellState> states);

    long count() const { return static_cast<long>(places_.size()); }
    // State and vertex of a sample.
    std::pair<const CellState&, int> at(long index) const;

private:
    std::vector<CellState> states_;
    std::vector<std::pair<int, int>> places_;
};

// How the acceleration of a vertex changes with each of the cell's numbers, 3×51, and the acceleration itself.
using CellGradient = Eigen::Matrix<double, 3, cell_numbers>;
Vector3 cell_gradient(const ForceCell& cell, const CellState& state, int vertex, CellGradient& gradient);

}  // namespace tulle::methods
