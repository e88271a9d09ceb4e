// SPDX-License-Identifier: Apache-2.0
// The symbolic analysis put together: where everything of the factor lies, and which parts can be worked on at once.
//
//            root              top nodes, by level: their panels are large and are shared by all threads
//          ╱      ╲
//       node      node
//      ╱   ╲     ╱   ╲
//    task  task task task      subtrees that touch each other only through their boundary, rows of the top
//
// The cut depends on the matrix alone, never on the number of threads, and so do the results.
#pragma once

#include "tulle/numerics/sparse_matrix.h"

#include <vector>

namespace tulle::numerics {

struct PlanNode {
    int first = 0;           // first column
    int columns = 0;         // how many
    std::vector<int> below;  // rows below the columns, ascending
    int parent = -1;
    std::vector<int> children;
};

struct PlanTask {
    int first_node = 0, last_node = 0;  // half-open
    int first_row = 0, last_row = 0;    // half-open
    int parent = -1;                    // the top node that takes its updates
    std::vector<int> boundary;          // rows of the top that it updates, ascending
    double cost = 0;                    // [cycles] of a solve, roughly
};

struct FactorPlan {
    std::vector<int> order;       // order[place] = row of the matrix
    std::vector<PlanNode> nodes;  // those of the tasks first, then the top; children before parents
    std::vector<PlanTask> tasks;
    int first_top_node = 0;
    int first_top_row = 0;
    std::vector<std::vector<int>> levels;  // top nodes, each level needs only those before it
    std::vector<int> pattern;              // of the lower half of the matrix: the rows of each column, then −1
};

// Throws an Error if the matrix is not square.
FactorPlan make_plan(const SparseMatrix& matrix);

// Throws an Error unless the entries of the matrix lie where the plan expects them and are finite.
void check_entries(const FactorPlan& plan, const SparseMatrix& matrix);
[[noreturn]] void throw_not_positive_definite(const FactorPlan& plan, int place);

// Where a row, in elimination order, lies in the front of a node: its columns come first, then the rows below.
int place_in_front(const PlanNode& node, int row);
std::vector<int> places_in_front(const PlanNode& node, const std::vector<int>& rows);

}  // namespace tulle::numerics
