// SPDX-License-Identifier: Apache-2.0
// First half of the symbolic analysis: a fill-reducing order and the elimination tree of the matrix in that order.
#pragma once

#include "tulle/numerics/sparse_matrix.h"

#include <vector>

namespace tulle::numerics {

// The pattern of a symmetric matrix without its diagonal, both halves.
struct Graph {
    std::vector<int> first;       // n + 1, where the neighbours of each vertex begin
    std::vector<int> neighbours;  // sorted within each vertex

    int vertex_count() const { return static_cast<int>(first.size()) - 1; }
};

// The graph of the entries below the diagonal of `matrix`.
Graph lower_graph(const SparseMatrix& matrix);

// The same graph with vertex order[place] called place.
Graph permuted(const Graph& graph, const std::vector<int>& order);

// inverse[order[place]] = place.
std::vector<int> inverse_of(const std::vector<int>& order);

// METIS nested dissection with a fixed seed: result[place] = vertex. It separates two-dimensional meshes into halves
// again and again, which bounds the fill and gives independent subtrees to work on.
std::vector<int> nested_dissection(const Graph& graph);

// Column j of the factor depends on its children; parent[j] is the first row below the diagonal of column j, or -1.
struct EliminationTree {
    std::vector<int> parent;
    std::vector<int> counts;  // entries of each column of the factor, with the diagonal
};

// The tree [Liu 1990] and the exact column counts, by walking every row's subtree once: O(entries of the factor).
EliminationTree elimination_tree(const Graph& graph);

// An order in which every subtree is consecutive: result[place] = vertex.
std::vector<int> postorder(const std::vector<int>& parent);

}  // namespace tulle::numerics
