// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/box_laplacian.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/force_cell.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

// Calls `visit` with all vertices of the box around (row, column) but its centre.
template <class Visit>
void around(const geometry::GridSize& grid, long row, long column, Visit visit) {
    constexpr long reach = BoxLaplacian::reach;
    for (long r = std::max(0L, row - reach); r <= std::min<long>(grid.rows - 1, row + reach); ++r)
        for (long c = std::max(0L, column - reach); c <= std::min<long>(grid.columns - 1, column + reach); ++c)
            if (r != row || c != column) visit(r * grid.columns + c);
}

}  // namespace

BoxLaplacian::BoxLaplacian(const physics::ClothModel& model) {
    const CellGrid cell_grid = make_cell_grid(model);
    grid_ = *model.grid;
    const std::vector<bool> pinned = model.pinned();
    moves_.assign(pinned.size(), 0);
    scales_.setZero(model.vertex_count());
    for (size_t v = 0; v < pinned.size(); ++v) {
        // A vertex that no spring holds is not part of the cloth.
        const bool exists = std::ranges::any_of(cell_grid.neighbours[v], [](int neighbour) { return neighbour >= 0; });
        moves_[v] = exists && !pinned[v];
        is_held_ = is_held_ || (exists && pinned[v]);
        scales_(static_cast<long>(v)) = exists ? 1 : 0;
    }
    // Two of the steps by which Sinkhorn and Knopp scale a matrix to equal sums: more would reach further into the
    // cloth and make no mode more stable.
    weigh();
    for (int i = 0; i < 2; ++i) {
        for (long v = 0; v < scales_.size(); ++v)
            if (weights_(v) > 0) scales_(v) *= std::sqrt(others / weights_(v));
        weigh();
    }
}

void BoxLaplacian::weigh() {
    weights_.setZero(scales_.size());
    for (int r = 0; r < grid_.rows; ++r)
        for (int c = 0; c < grid_.columns; ++c) {
            const long v = grid_.index(r, c);
            around(grid_, r, c, [&](long other) { weights_(v) += scales_(v) * scales_(other); });
        }
}

double BoxLaplacian::of_wave(double a, double b) {
    const auto line = [](double angle) { return 1 + 2 * std::cos(angle) + 2 * std::cos(2 * angle); };
    return (25 - line(a) * line(b)) / unit;
}

void BoxLaplacian::apply(const Eigen::MatrixXd& y, Eigen::MatrixXd& result) const {
    result.setZero(y.rows(), y.cols());
    parallel_for(grid_.rows, [&](long r) {
        for (long c = 0; c < grid_.columns; ++c) {
            const long v = r * grid_.columns + c;
            if (!moves_[static_cast<size_t>(v)]) continue;
            result.row(v) = weights_(v) * y.row(v);
            around(grid_, r, c, [&](long other) {
                if (moves_[static_cast<size_t>(other)]) result.row(v) -= scales_(v) * scales_(other) * y.row(other);
            });
            result.row(v) /= unit;
        }
    });
}

Eigen::MatrixXd BoxLaplacian::polynomial(const VectorX& coefficients, const Eigen::MatrixXd& y) const {
    // Clenshaw: bⱼ = cⱼ y + 2 (1 − 2S) bⱼ₊₁ − bⱼ₊₂
    Eigen::MatrixXd last = Eigen::MatrixXd::Zero(y.rows(), y.cols()), before = last, applied;
    for (long j = coefficients.size() - 1; j > 0; --j) {
        apply(last, applied);
        before = coefficients(j) * y + 2 * (last - 2 * applied) - before;
        std::swap(before, last);
    }
    apply(last, applied);
    return coefficients(0) * y + last - 2 * applied - before;
}

}  // namespace tulle::methods
