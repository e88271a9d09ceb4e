// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/miniature.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::geometry {

namespace {

// The nearest number of vertices whose cells divide by the factor.
int nearest_side(int vertices, int factor) { return std::max(1, (vertices - 1 + factor / 2) / factor) * factor + 1; }

}  // namespace

std::vector<int> Miniature::fine_vertices() const {
    std::vector<int> indices;
    indices.reserve(static_cast<size_t>(coarse.vertex_count()));
    for (int row = 0; row < coarse.rows; ++row)
        for (int column = 0; column < coarse.columns; ++column) indices.push_back(fine_index(row, column));
    return indices;
}

Miniature make_miniature(const GridSize& fine, int factor) {
    if (factor < 2) throw Error("a cloth cannot be made coarser by the factor {}; take 2, 3 or 4", factor);
    if ((fine.rows - 1) % factor != 0 || (fine.columns - 1) % factor != 0)
        throw Error(
            "a grid of {}×{} vertices cannot be made coarser by {}: its cells, {}×{}, do not divide; the nearest size "
            "that does is {}×{}",
            fine.rows, fine.columns, factor, fine.rows - 1, fine.columns - 1, nearest_side(fine.rows, factor),
            nearest_side(fine.columns, factor));
    return {.fine = fine, .coarse = {(fine.rows - 1) / factor + 1, (fine.columns - 1) / factor + 1}, .factor = factor};
}

Positions sample(const std::vector<int>& fine_vertices, const Positions& fine) {
    Positions coarse(static_cast<long>(fine_vertices.size()), 3);
    for (size_t v = 0; v < fine_vertices.size(); ++v) coarse.row(static_cast<long>(v)) = fine.row(fine_vertices[v]);
    return coarse;
}

VectorX gather_by_hats(const Miniature& miniature, const VectorX& fine) {
    const int s = miniature.factor;
    VectorX coarse = VectorX::Zero(miniature.coarse.vertex_count());
    for (int row = 0; row < miniature.fine.rows; ++row)
        for (int column = 0; column < miniature.fine.columns; ++column) {
            const double down = static_cast<double>(row % s) / s, right = static_cast<double>(column % s) / s;
            const double value = fine(miniature.fine.index(row, column));
            const auto give = [&](int r, int c, double weight) {
                if (weight > 0) coarse(miniature.coarse.index(r, c)) += weight * value;
            };
            give(row / s, column / s, (1 - down) * (1 - right));
            give(row / s, column / s + 1, (1 - down) * right);
            give(row / s + 1, column / s, down * (1 - right));
            give(row / s + 1, column / s + 1, down * right);
        }
    return coarse;
}

Eigen::VectorXf interpolate_numbers(const Miniature& miniature, const Eigen::VectorXf& coarse) {
    const int s = miniature.factor;
    Eigen::VectorXf fine(miniature.fine.vertex_count());
    const auto part = [&](int i) { return static_cast<float>(i % s) / static_cast<float>(s); };
    for (int row = 0; row < miniature.fine.rows; ++row)
        for (int column = 0; column < miniature.fine.columns; ++column) {
            const auto at = [&](int i, int j) {
                return coarse(miniature.coarse.index(std::min(row / s + i, miniature.coarse.rows - 1),
                                                     std::min(column / s + j, miniature.coarse.columns - 1)));
            };
            const float down = part(row), right = part(column);
            fine(miniature.fine.index(row, column)) = (1 - down) * ((1 - right) * at(0, 0) + right * at(0, 1)) +
                                                      down * ((1 - right) * at(1, 0) + right * at(1, 1));
        }
    return fine;
}

}  // namespace tulle::geometry
