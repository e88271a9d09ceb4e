// SPDX-License-Identifier: Apache-2.0
// Symmetric positive definite matrices like those of cloth, for the tests.
#pragma once

#include "tulle/core/random.h"
#include "tulle/numerics/sparse_cholesky.h"

#include <utility>
#include <vector>

namespace tulle::test {

using EdgeList = std::vector<std::pair<int, int>>;

// Springs along rows and columns, both diagonals, and over two cells: the 13-point stencil.
inline EdgeList grid_edges(int rows, int columns) {
    const std::vector<std::pair<int, int>> steps{{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    EdgeList edges;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            for (const auto& [dr, dc] : steps)
                if (r + dr < rows && c + dc >= 0 && c + dc < columns)
                    edges.emplace_back(r * columns + c, (r + dr) * columns + c + dc);
    return edges;
}

// Points thrown into the unit square, joined when they are closer than `reach`.
inline EdgeList scattered_edges(int count, double reach, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::pair<double, double>> points(count);
    for (auto& [x, y] : points) {
        x = random.uniform();
        y = random.uniform();
    }
    EdgeList edges;
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            const double dx = points[a].first - points[b].first, dy = points[a].second - points[b].second;
            if (dx * dx + dy * dy < reach * reach) edges.emplace_back(a, b);
        }
    return edges;
}

// Δt⁻² M + Σ k DᵀD with stiffnesses and masses around 100 and 2.
inline numerics::SparseMatrix cloth_matrix(int size, const EdgeList& edges, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<Eigen::Triplet<double>> entries;
    for (int v = 0; v < size; ++v) entries.emplace_back(v, v, random.uniform(1, 3));
    for (const auto& [a, b] : edges) {
        const double stiffness = random.uniform(50, 150);
        entries.emplace_back(a, a, stiffness);
        entries.emplace_back(b, b, stiffness);
        entries.emplace_back(a, b, -stiffness);
        entries.emplace_back(b, a, -stiffness);
    }
    numerics::SparseMatrix matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

inline Positions random_positions(int count, std::uint64_t seed) {
    Random random(seed);
    Positions positions(count, 3);
    for (int v = 0; v < count; ++v)
        for (int axis = 0; axis < 3; ++axis) positions(v, axis) = random.uniform(-1, 1);
    return positions;
}

// The projected Hessian, 3|V|×3|V|, of springs that are strained at random, and the masses of cloth_matrix.
inline numerics::SparseMatrix spring_hessian(const EdgeList& edges, const Positions& x, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < x.size(); ++i) entries.emplace_back(i, i, random.uniform(1, 3));
    for (const auto& [a, b] : edges) {
        const Vector3 n = (x.row(a) - x.row(b)).normalized();
        const double along = random.uniform(50, 150), across = random.uniform(0, 10);
        const Matrix3 block = across * Matrix3::Identity() + (along - across) * n * n.transpose();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                entries.emplace_back(3 * a + i, 3 * a + j, block(i, j));
                entries.emplace_back(3 * b + i, 3 * b + j, block(i, j));
                entries.emplace_back(3 * a + i, 3 * b + j, -block(i, j));
                entries.emplace_back(3 * b + i, 3 * a + j, -block(i, j));
            }
    }
    numerics::SparseMatrix matrix(x.size(), x.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

}  // namespace tulle::test
