// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/midpoint_stencils.h"

#include "tulle/geometry/upsampling.h"

#include <Eigen/LU>

#include <cmath>

namespace tulle::methods {

namespace {

using Weights = std::map<int, double>;  // of vertices

void add_to(Weights& sum, double factor, const Weights& weights) {
    for (const auto& [vertex, weight] : weights) sum[vertex] += factor * weight;
}

// The butterfly's half in one triangle.
class HalfButterfly {
public:
    HalfButterfly(const geometry::Subdivision& level, const Positions& fine_rest, long triangle)
        : level_(level), fine_rest_(fine_rest), triangle_(triangle) {}

    // Of the midpoint between corners i and i + 1.
    Weights of(int i) const {
        Weights weights = bend(i);
        const auto [first, second] = at_rest(weights);
        add_to(weights, 0.5, corner(i));
        add_to(weights, 0.5, corner(i + 1));
        add_to(weights, first + second, corner(0));
        add_to(weights, -first, corner(1));
        add_to(weights, -second, corner(2));
        return weights;
    }

private:
    Weights corner(int i) const { return {{level_.triangles(triangle_, i % 3), 1}}; }

    Weights across(int i) const {
        const int vertex = level_.across(triangle_, i % 3);
        if (vertex >= 0) return {{vertex, 1}};
        Weights beyond = corner(i);
        add_to(beyond, 1, corner(i + 1));
        add_to(beyond, -1, corner(i + 2));
        return beyond;
    }

    // ¼c − ⅛(x1+x2), which bends a midpoint away from the middle of its edge.
    Weights bend(int i) const {
        Weights weights;
        add_to(weights, 0.25, corner(i + 2));
        add_to(weights, -0.125, across(i + 1));
        add_to(weights, -0.125, across(i + 2));
        return weights;
    }

    // How far the bend goes at rest, in the triangle's sides from its first corner.
    std::pair<double, double> at_rest(const Weights& bend) const {
        const auto rest = [&](int vertex) {
            return Vector3(fine_rest_.row(level_.fine_vertices[static_cast<size_t>(vertex)]));
        };
        Vector3 way = Vector3::Zero();
        for (const auto& [vertex, weight] : bend) way += weight * rest(vertex);
        const auto side = [&](int k) {
            return Vector3(rest(level_.triangles(triangle_, k)) - rest(level_.triangles(triangle_, 0)));
        };
        Eigen::Matrix<double, 3, 2> sides;
        sides << side(1), side(2);
        const Eigen::Vector2d found = (sides.transpose() * sides).inverse() * sides.transpose() * way;
        return {found(0), found(1)};
    }

    const geometry::Subdivision& level_;
    const Positions& fine_rest_;
    long triangle_;
};

}  // namespace

void MidpointStencils::add(const std::map<int, double>& weights) {
    constexpr double rounding = 1e-7;
    for (const auto& [vertex, weight] : weights)
        if (std::abs(weight) > rounding) taps_.push_back({vertex, static_cast<float>(weight)});
    first_.push_back(static_cast<int>(taps_.size()));
}

MidpointStencils butterfly_stencils(const geometry::Subdivision& subdivision, const Positions& fine_rest) {
    std::vector<Weights> sums(subdivision.fine_midpoints.size());
    std::vector<int> halves(sums.size(), 0);
    for (long t = 0; t < subdivision.triangles.rows(); ++t)
        for (int i = 0; i < 3; ++i) {
            const auto edge = static_cast<size_t>(subdivision.edges_of_triangle(t, i));
            add_to(sums[edge], 1, HalfButterfly(subdivision, fine_rest, t).of(i));
            ++halves[edge];
        }
    MidpointStencils stencils;
    for (size_t e = 0; e < sums.size(); ++e) {
        Weights mean;
        add_to(mean, 1.0 / halves[e], sums[e]);
        stencils.add(mean);
    }
    return stencils;
}

MidpointStencils bicubic_stencils(const geometry::GridSize& coarse) {
    using geometry::Interpolation;
    const auto rows = geometry::line_stencils(Interpolation::Bicubic, coarse.rows, 2);
    const auto columns = geometry::line_stencils(Interpolation::Bicubic, coarse.columns, 2);
    const auto row_of = [&](int vertex) { return vertex / coarse.columns; };
    const auto column_of = [&](int vertex) { return vertex % coarse.columns; };
    MidpointStencils stencils;
    const Edges edges = geometry::subdivide_grid(coarse).edges;
    for (const auto& edge : edges.rowwise()) {
        const auto& down = rows[static_cast<size_t>(row_of(edge(0)) + row_of(edge(1)))];
        const auto& along = columns[static_cast<size_t>(column_of(edge(0)) + column_of(edge(1)))];
        Weights weights;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (const double weight = down.weights[static_cast<size_t>(i)] * along.weights[static_cast<size_t>(j)];
                    weight != 0)
                    weights[coarse.index(down.first + i, along.first + j)] += weight;
        stencils.add(weights);
    }
    return stencils;
}

}  // namespace tulle::methods
