// SPDX-License-Identifier: Apache-2.0
// What SparseCholesky keeps: the panels of the factor and the way through them.
#pragma once

#include "tulle/numerics/aligned_array.h"
#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/numerics/sparse_cholesky_kernel.h"
#include "tulle/numerics/sparse_cholesky_plan.h"

#include <vector>

namespace tulle::numerics {

// Updates on their way to a top node: `count` rows of the workspace, from `buffer`, go to these places of its front.
struct Contribution {
    int buffer;
    std::vector<int> places;  // ascending, in [0, columns + below)
};

struct TopNode {
    Panel panel;
    int right_hand_side;     // row of the workspace
    int buffer;              // row of the workspace where its updates are collected
    std::vector<int> below;  // rows of the solution
    std::vector<Contribution> contributions;
};

// Part of a panel that one thread works on alone: rows below on the way up, columns on the way down.
struct Piece {
    int node;
    int first, last;
};

struct TopLevel {
    std::vector<Piece> up, down;
};

struct CholeskyTask {
    RowRange rows;
    int first_panel, last_panel;
    int buffer;                 // row of the workspace where updates of the boundary are collected
    std::vector<int> boundary;  // rows of the solution
    double cost;
};

struct CholeskyFactor {
    FactorPlan plan;
    const PanelKernels* kernels;
    std::vector<Panel> panels;  // of the tasks
    AlignedFloats values;
    std::vector<unsigned> offsets;  // of rows, for the panels
    std::vector<CholeskyTask> tasks;
    std::vector<TopNode> top;
    std::vector<TopLevel> levels;
    std::vector<unsigned> counting;  // 0, 4, 8, … for consecutive rows
    int workspace_rows;
    int tallest;  // height of the tallest panel
    long nonzeros;
    double analysis_milliseconds, factorisation_milliseconds;

    void refactor(const SparseMatrix& matrix);

    void clear_boundary(const CholeskyTask& task, float* rows) const;
    void forward(const CholeskyTask& task, float* rows) const;
    void backward(const CholeskyTask& task, float* rows, float* scratch) const;
    // Some pieces of a level; `scratch` is scratch_floats() long.
    void climb(const TopLevel& level, RowRange pieces, float* rows, float* scratch) const;
    void descend(const TopLevel& level, RowRange pieces, float* rows, float* scratch) const;
    size_t scratch_floats() const { return 7 * static_cast<size_t>(tallest); }

private:
    void assemble(const TopNode& node, int first, int last, const float* rows, float* front) const;
};

CholeskyFactor make_factor(const SparseMatrix& matrix, const PanelKernels& kernels);

}  // namespace tulle::numerics
