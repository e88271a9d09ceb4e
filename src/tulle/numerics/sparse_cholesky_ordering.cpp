// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_ordering.h"

#include "tulle/core/error.h"

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

namespace tulle::numerics {

namespace {

// Each undirected edge once → both directions, sorted.
Graph graph_of_edges(int vertices, const std::vector<std::pair<int, int>>& edges) {
    Graph graph;
    graph.first.assign(vertices + 1, 0);
    for (const auto& [a, b] : edges) {
        ++graph.first[a + 1];
        ++graph.first[b + 1];
    }
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    graph.neighbours.resize(2 * edges.size());
    std::vector<int> next(graph.first.begin(), graph.first.end() - 1);
    for (const auto& [a, b] : edges) {
        graph.neighbours[next[a]++] = b;
        graph.neighbours[next[b]++] = a;
    }
    for (int v = 0; v < vertices; ++v)
        std::sort(graph.neighbours.begin() + graph.first[v], graph.neighbours.begin() + graph.first[v + 1]);
    return graph;
}

}  // namespace

Graph lower_graph(const SparseMatrix& matrix) {
    std::vector<std::pair<int, int>> edges;
    edges.reserve(matrix.nonZeros());
    for (int column = 0; column < matrix.outerSize(); ++column)
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            if (entry.row() > column) edges.emplace_back(column, static_cast<int>(entry.row()));
    return graph_of_edges(static_cast<int>(matrix.rows()), edges);
}

Graph permuted(const Graph& graph, const std::vector<int>& order) {
    const std::vector<int> place = inverse_of(order);
    std::vector<std::pair<int, int>> edges;
    edges.reserve(graph.neighbours.size() / 2);
    for (int v = 0; v < graph.vertex_count(); ++v)
        for (int k = graph.first[v]; k < graph.first[v + 1]; ++k)
            if (graph.neighbours[k] > v) edges.emplace_back(place[v], place[graph.neighbours[k]]);
    return graph_of_edges(graph.vertex_count(), edges);
}

std::vector<int> inverse_of(const std::vector<int>& order) {
    std::vector<int> inverse(order.size());
    for (size_t place = 0; place < order.size(); ++place) inverse[order[place]] = static_cast<int>(place);
    return inverse;
}

std::vector<int> nested_dissection(const Graph& graph) {
    idx_t count = graph.vertex_count();
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    if (count < 3 || graph.neighbours.empty()) return order;

    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_COMPRESS] = 0;
    std::vector<idx_t> first(graph.first.begin(), graph.first.end());
    std::vector<idx_t> neighbours(graph.neighbours.begin(), graph.neighbours.end());
    std::vector<idx_t> places(count);
    // METIS draws from the C library's random numbers, which all threads share: two at once would get other orders.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    if (METIS_NodeND(&count, first.data(), neighbours.data(), nullptr, options, order.data(), places.data()) !=
        METIS_OK)
        throw Error("cannot order a matrix of {} rows; free some memory and try again", static_cast<int>(count));
    return order;
}

EliminationTree elimination_tree(const Graph& graph) {
    const int n = graph.vertex_count();
    EliminationTree tree{std::vector<int>(n, -1), std::vector<int>(n, 1)};
    std::vector<int> mark(n, -1);
    for (int row = 0; row < n; ++row) {
        mark[row] = row;
        for (int k = graph.first[row]; k < graph.first[row + 1] && graph.neighbours[k] < row; ++k)
            for (int j = graph.neighbours[k]; mark[j] != row; j = tree.parent[j]) {
                if (tree.parent[j] < 0) tree.parent[j] = row;
                ++tree.counts[j];
                mark[j] = row;
            }
    }
    return tree;
}

std::vector<int> postorder(const std::vector<int>& parent) {
    const int n = static_cast<int>(parent.size());
    std::vector<int> first_child(n, -1), next_sibling(n, -1), roots;
    for (int v = n - 1; v >= 0; --v) {
        if (parent[v] < 0) continue;
        next_sibling[v] = first_child[parent[v]];
        first_child[parent[v]] = v;
    }
    std::vector<int> order, stack;
    order.reserve(n);
    for (int root = 0; root < n; ++root) {
        if (parent[root] >= 0) continue;
        stack.push_back(root);
        while (!stack.empty()) {
            const int v = stack.back();
            if (first_child[v] >= 0) {
                stack.push_back(first_child[v]);
                first_child[v] = next_sibling[first_child[v]];
            } else {
                order.push_back(v);
                stack.pop_back();
            }
        }
    }
    return order;
}

}  // namespace tulle::numerics
