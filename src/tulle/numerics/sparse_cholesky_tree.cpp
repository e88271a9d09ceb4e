// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_tree.h"

#include <algorithm>
#include <utility>

namespace tulle::numerics {

SupernodeTree fundamental_supernodes(const EliminationTree& tree) {
    const int n = static_cast<int>(tree.parent.size());
    SupernodeTree nodes;
    std::vector<int> node_of(n);
    for (int j = 0; j < n; ++j) {
        const bool continues = j > 0 && tree.parent[j - 1] == j && tree.counts[j - 1] == tree.counts[j] + 1;
        if (!continues) nodes.emplace_back();
        nodes.back().columns.push_back(j);
        nodes.back().below = tree.counts[j] - 1;
        node_of[j] = static_cast<int>(nodes.size()) - 1;
    }
    for (int s = 0; s < static_cast<int>(nodes.size()); ++s) {
        const int parent_column = tree.parent[nodes[s].columns.back()];
        if (parent_column < 0) continue;
        nodes[s].parent = node_of[parent_column];
        nodes[nodes[s].parent].children.push_back(s);
    }
    return nodes;
}

double CostModel::cost(long columns, long below) const {
    const long forward_blocks = (below + 7) / 8;
    const long backward_blocks = (below + columns + 7) / 8;
    const auto width = static_cast<double>(columns);
    return static_cast<double>(forward_blocks + backward_blocks) * (cycles_per_vector * width + cycles_per_block) +
           cycles_per_column * width + cycles_per_node;
}

double CostModel::gain_of_merging(const Supernode& child, const Supernode& parent) const {
    const long child_columns = static_cast<long>(child.columns.size());
    const long parent_columns = static_cast<long>(parent.columns.size());
    return cost(child_columns, child.below) + cost(parent_columns, parent.below) -
           cost(child_columns + parent_columns, parent.below);
}

namespace {

// Columns of the child come first: they are eliminated before the parent's.
void take_over(SupernodeTree& tree, int node, int child) {
    Supernode& gone = tree[child];
    Supernode& parent = tree[node];
    gone.columns.insert(gone.columns.end(), parent.columns.begin(), parent.columns.end());
    parent.columns = std::move(gone.columns);
    for (const int grandchild : gone.children) tree[grandchild].parent = node;
    parent.children.insert(parent.children.end(), gone.children.begin(), gone.children.end());
    gone = Supernode{};
    gone.merged = true;
}

// One sweep over the children of `node`, the most profitable first. True if any was merged.
bool merge_children(SupernodeTree& tree, int node, const MergeRule& rule) {
    std::vector<std::pair<double, int>> candidates;
    std::vector<int> children = std::move(tree[node].children);
    tree[node].children.clear();
    for (const int child : children) {
        if (rule.eligible[child])
            candidates.emplace_back(-rule.model.gain_of_merging(tree[child], tree[node]), child);
        else
            tree[node].children.push_back(child);
    }
    std::sort(candidates.begin(), candidates.end());
    bool any = false;
    for (const auto& [loss, child] : candidates) {
        if (rule.model.gain_of_merging(tree[child], tree[node]) + rule.allowance > 0) {
            take_over(tree, node, child);
            any = true;
        } else {
            tree[node].children.push_back(child);
        }
    }
    return any;
}

}  // namespace

void amalgamate(SupernodeTree& tree, const MergeRule& rule) {
    for (int node = 0; node < static_cast<int>(tree.size()); ++node) {
        if (tree[node].merged || !rule.eligible[node]) continue;
        while (merge_children(tree, node, rule)) {
        }
        std::sort(tree[node].children.begin(), tree[node].children.end());
    }
}

}  // namespace tulle::numerics
