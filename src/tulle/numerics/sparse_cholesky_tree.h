// SPDX-License-Identifier: Apache-2.0
// Second half of the symbolic analysis: columns of equal pattern become supernodes, and supernodes are merged where the
// solve gets faster although explicit zeros are stored.
#pragma once

#include "tulle/numerics/sparse_cholesky_ordering.h"

#include <vector>

namespace tulle::numerics {

// One node of the tree: a dense block of `columns` and the number of rows below it that they touch. The rows of a
// child lie within the columns and rows of its parent, so merging a child into its parent keeps the parent's rows.
struct Supernode {
    std::vector<int> columns;  // in elimination order
    int below = 0;
    int parent = -1;
    std::vector<int> children;
    bool merged = false;  // into its parent; no longer part of the tree
};

using SupernodeTree = std::vector<Supernode>;  // children before parents

// Supernodes of a matrix whose elimination tree is postordered.
SupernodeTree fundamental_supernodes(const EliminationTree& tree);

// What one supernode costs in a solve with three right-hand sides, in cycles of a core with two vector units
// [measured].
struct CostModel {
    double cycles_per_vector = 2;  // eight entries times three right-hand sides, from cache
    double cycles_per_block = 8;   // gather or scatter of eight rows
    double cycles_per_column = 4;  // horizontal sums
    double cycles_per_node = 40;   // loop overheads and mispredicted branches, both sweeps

    double cost(long columns, long below) const;
    double gain_of_merging(const Supernode& child, const Supernode& parent) const;
};

struct MergeRule {
    CostModel model;
    double allowance = 0;        // [cycles] merge although it costs up to this much more
    std::vector<bool> eligible;  // nodes that may take part
};

// Merges children into parents, bottom up, while it pays.
void amalgamate(SupernodeTree& tree, const MergeRule& rule);

}  // namespace tulle::numerics
