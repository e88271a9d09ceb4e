// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/force_cell.h"

namespace tulle::methods {

// Which of a cell's numbers are learnt, and which must be equal. The paper's cell has 29: filter scales and α for each
// channel, one β, one γ, and δ.
struct CellDesign {
    CellActivation activation = CellActivation::Isru;
    double softening = 1e-16;    // c [m²]; the paper's is 1e-9
    double scale = 1;            // s of all filters, at first
    bool learns_scales = false;  // else they stay, and the cell is linear in its parameters
    bool one_branch = false;     // one β and one γ for all channels
    bool ties_pairs = true;      // neighbours on opposite sides are alike, as Newton's third law wants
};

CellDesign paper_design();

// All numbers of a cell in one vector: scales, α, β, γ of the 12 channels each, and δ.
inline constexpr int cell_numbers = 4 * physics::stencil_channels + 3;
using CellVector = Eigen::Matrix<double, cell_numbers, 1>;
inline constexpr int first_linear = physics::stencil_channels, first_nonlinear = 2 * physics::stencil_channels,
                     first_derivative = 3 * physics::stencil_channels, first_bias = 4 * physics::stencil_channels;

CellVector to_vector(const ForceCell& cell);
ForceCell to_cell(const CellVector& numbers, const CellDesign& design);

// The cell's numbers are base + matrix · learnt: an affine map from what is learnt to all of them.
struct CellParameters {
    CellVector base;
    Eigen::Matrix<double, cell_numbers, Eigen::Dynamic> matrix;

    int count() const { return static_cast<int>(matrix.cols()); }
    CellVector numbers(const VectorX& learnt) const { return base + matrix * learnt; }
};

// Every learnt number stands for itself, in units of m, kg and s; scales for what they differ by from the design's.
CellParameters plain_parameters(const CellDesign& design);

}  // namespace tulle::methods
