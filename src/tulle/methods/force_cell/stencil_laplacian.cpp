// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/stencil_laplacian.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/cell_material.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tulle::methods {

namespace {

struct Neighbour {
    int rows, columns;
    double weight;
};

std::array<Neighbour, physics::stencil_channels> neighbours_of(const StencilLaplacian::Weights& weights) {
    const std::array<double, physics::stencil_directions> by_direction = {
        weights.row, weights.column, weights.diagonal, weights.diagonal, weights.far_row, weights.far_column};
    std::array<Neighbour, physics::stencil_channels> neighbours{};
    for (size_t i = 0; i < physics::stencil_directions; ++i) {
        const auto [rows, columns] = physics::stencil_offsets[i];
        neighbours[2 * i] = {rows, columns, by_direction[i]};
        neighbours[2 * i + 1] = {-rows, -columns, by_direction[i]};
    }
    return neighbours;
}

double shared_mass(const physics::ClothModel& model, const std::vector<bool>& pinned) {
    double mass = 0;
    for (int v = 0; v < model.vertex_count(); ++v) {
        if (pinned[static_cast<size_t>(v)]) continue;
        if (mass == 0) mass = model.masses(v);
        if (std::abs(model.masses(v) / mass - 1) > 1e-5)
            throw Error("larger steps of a force cell need particles of one mass; give the cloth a mass of each");
    }
    return mass == 0 ? 1 : mass;
}

}  // namespace

StencilLaplacian::StencilLaplacian(const physics::ClothModel& model) {
    const physics::StencilMaterial material = cell_material(model);
    grid_ = *model.grid;
    const std::vector<bool> pinned = model.pinned();
    const double mass = shared_mass(model, pinned);
    const auto& k = material.stiffness;
    if (std::abs(k[2] - k[3]) > 1e-5 * std::max(k[2], k[3]))
        throw Error("larger steps of a force cell need diagonal springs that are alike");
    weights_ = {.row = k[0] / mass,
                .column = k[1] / mass,
                .diagonal = k[2] / mass,
                .far_row = k[4] / mass,
                .far_column = k[5] / mass};

    // A vertex that no spring holds is not part of the cloth.
    const std::vector<physics::Neighbours> joined = *physics::stencil_neighbours(model);
    std::vector<unsigned char> exists(joined.size());
    for (size_t v = 0; v < joined.size(); ++v)
        for (const int neighbour : joined[v])
            if (neighbour >= 0) exists[v] = 1;
    degrees_.assign(joined.size(), 0);
    moves_.assign(joined.size(), 0);
    const auto neighbours = neighbours_of(weights_);
    for (int r = 0; r < grid_.rows; ++r)
        for (int c = 0; c < grid_.columns; ++c) {
            const auto v = static_cast<size_t>(r * grid_.columns + c);
            moves_[v] = exists[v] && !pinned[v];
            if (!moves_[v]) continue;
            for (const auto& [rows, columns, weight] : neighbours)
                if (r + rows >= 0 && r + rows < grid_.rows && c + columns >= 0 && c + columns < grid_.columns &&
                    exists[static_cast<size_t>((r + rows) * grid_.columns + c + columns)])
                    degrees_[v] += weight;
        }
}

// Of the endless grid, whose modes are waves: pins and missing springs only make a cloth's eigenvalues smaller.
double StencilLaplacian::largest_eigenvalue() const {
    double largest = 0;
    constexpr int samples = 256;
    for (int i = 0; i <= samples; ++i)
        for (int j = 0; j <= samples; ++j) {
            const double a = std::numbers::pi * i / samples, b = std::numbers::pi * j / samples;
            double sum = 0;
            for (const auto& [rows, columns, weight] : neighbours_of(weights_))
                sum += weight * (1 - std::cos(rows * a + columns * b));
            largest = std::max(largest, sum);
        }
    return largest;
}

void StencilLaplacian::apply(const Eigen::MatrixXd& y, Eigen::MatrixXd& result) const {
    result.setZero(y.rows(), y.cols());
    const auto neighbours = neighbours_of(weights_);
    parallel_for(grid_.rows, [&](long row) {
        const int r = static_cast<int>(row);
        for (int c = 0; c < grid_.columns; ++c) {
            const long v = row * grid_.columns + c;
            if (!moves_[static_cast<size_t>(v)]) continue;
            result.row(v) = degrees_[static_cast<size_t>(v)] * y.row(v);
            for (const auto& [rows, columns, weight] : neighbours) {
                if (r + rows < 0 || r + rows >= grid_.rows || c + columns < 0 || c + columns >= grid_.columns) continue;
                const long other = (row + rows) * grid_.columns + c + columns;
                if (moves_[static_cast<size_t>(other)]) result.row(v) -= weight * y.row(other);
            }
        }
    });
}

Eigen::MatrixXd StencilLaplacian::polynomial(const VectorX& coefficients, double scale,
                                             const Eigen::MatrixXd& y) const {
    // Clenshaw: bⱼ = cⱼ y + 2 (1 − 2s) bⱼ₊₁ − bⱼ₊₂
    Eigen::MatrixXd last = Eigen::MatrixXd::Zero(y.rows(), y.cols()), before = last, applied;
    for (long j = coefficients.size() - 1; j > 0; --j) {
        apply(last, applied);
        before = coefficients(j) * y + 2 * (last - 2 * scale * applied) - before;
        std::swap(before, last);
    }
    apply(last, applied);
    return coefficients(0) * y + last - 2 * scale * applied - before;
}

}  // namespace tulle::methods
