// SPDX-License-Identifier: Apache-2.0
// The matrices of the papers' cloths.
#pragma once

#include "tulle/numerics/sparse_cholesky.h"

#include <utility>
#include <vector>

namespace tulle::bench {

// Springs of a grid cloth: rows, columns, both diagonals, and over two cells.
inline Edges grid_springs(int rows, int columns) {
    const std::pair<int, int> steps[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    std::vector<int> ends;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            for (const auto& [dr, dc] : steps)
                if (r + dr < rows && c + dc >= 0 && c + dc < columns) {
                    ends.push_back(r * columns + c);
                    ends.push_back((r + dr) * columns + c + dc);
                }
    return Eigen::Map<const Edges>(ends.data(), static_cast<long>(ends.size()) / 2, 2);
}

// M + Δt² Σ k DᵀD with the papers' k = 100 N/m, m = 2 g and Δt = 20 ms.
inline numerics::SparseMatrix grid_matrix(int rows, int columns) {
    const double mass = 2e-3, stiffness = 100 * 0.02 * 0.02;
    std::vector<Eigen::Triplet<double>> entries;
    for (int v = 0; v < rows * columns; ++v) entries.emplace_back(v, v, mass);
    const Edges springs = grid_springs(rows, columns);
    for (long s = 0; s < springs.rows(); ++s) {
        const int a = springs(s, 0), b = springs(s, 1);
        entries.emplace_back(a, a, stiffness);
        entries.emplace_back(b, b, stiffness);
        entries.emplace_back(a, b, -stiffness);
        entries.emplace_back(b, a, -stiffness);
    }
    numerics::SparseMatrix matrix(rows * columns, rows * columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

// A 3|V|×3|V| matrix with the pattern of Hessians: every entry becomes a block that couples the axes.
inline numerics::SparseMatrix on_three_axes(const numerics::SparseMatrix& matrix) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < matrix.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    entries.emplace_back(3 * entry.row() + i, 3 * column + j, entry.value() * (i == j ? 1 : 0.3));
    numerics::SparseMatrix result(3 * matrix.rows(), 3 * matrix.cols());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

// The matrix with row order[place] called place.
inline numerics::SparseMatrix in_order(const numerics::SparseMatrix& matrix, const std::vector<int>& order) {
    Eigen::PermutationMatrix<Eigen::Dynamic> permutation(matrix.rows());
    for (size_t place = 0; place < order.size(); ++place) permutation.indices()[order[place]] = static_cast<int>(place);
    numerics::SparseMatrix result;
    result = matrix.twistedBy(permutation);
    result.makeCompressed();
    return result;
}

}  // namespace tulle::bench
