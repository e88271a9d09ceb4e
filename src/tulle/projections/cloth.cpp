// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/cloth.h"

#include "tulle/core/error.h"
#include "tulle/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::projections {

namespace {

// Larger numbers would overflow when they are squared and summed.
constexpr double largest_coordinate = 1e100;  // [m]

// Low end, high end, opposite vertex of each side of each triangle, ascending.
std::vector<std::array<int, 3>> sides_of(const Triangles& triangles) {
    std::vector<std::array<int, 3>> sides;
    sides.reserve(static_cast<size_t>(3 * triangles.rows()));
    for (long t = 0; t < triangles.rows(); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(triangles(t, k), triangles(t, (k + 1) % 3));
            if (low != high) sides.push_back({low, high, triangles(t, (k + 2) % 3)});
        }
    std::sort(sides.begin(), sides.end());
    return sides;
}

bool same_edge(const std::array<int, 3>& a, const std::array<int, 3>& b) { return a[0] == b[0] && a[1] == b[1]; }

}  // namespace

Cloth cloth_of_areas(const Positions& rest_positions, const Triangles& triangles, std::vector<int> fixed) {
    return {rest_positions, triangles, geometry::vertex_areas(rest_positions, triangles), std::move(fixed)};
}

void check(const Cloth& cloth) {
    const long n = cloth.rest_positions.rows();
    if (n == 0) throw Error("a cloth to project has no vertices");
    check_positions(cloth, cloth.rest_positions);
    if (cloth.masses.size() != n) throw Error("{} masses for {} vertices", cloth.masses.size(), n);
    for (long v = 0; v < n; ++v)
        if (!(cloth.masses(v) >= 0) || !std::isfinite(cloth.masses(v)))
            throw Error("the mass of vertex {} is {}; it must be finite and not negative", v, cloth.masses(v));
    if (cloth.triangles.size() > 0 && (cloth.triangles.minCoeff() < 0 || cloth.triangles.maxCoeff() >= n))
        throw Error("a triangle refers to a vertex outside of 0 to {}", n - 1);
    for (const int v : cloth.fixed)
        if (v < 0 || v >= n) throw Error("vertex {} cannot be fixed: there are 0 to {}", v, n - 1);
}

void check_positions(const Cloth& cloth, const Positions& positions) {
    if (positions.rows() != cloth.rest_positions.rows())
        throw Error("{} positions for a cloth of {} vertices", positions.rows(), cloth.rest_positions.rows());
    for (long v = 0; v < positions.rows(); ++v)
        if (!(positions.row(v).cwiseAbs().maxCoeff() <= largest_coordinate) || !positions.row(v).allFinite())
            throw Error("vertex {} is at ({}, {}, {}), which is not a place that can be projected", v, positions(v, 0),
                        positions(v, 1), positions(v, 2));
}

Edges edges_of(const Triangles& triangles) {
    std::vector<std::array<int, 3>> sides = sides_of(triangles);
    sides.erase(std::unique(sides.begin(), sides.end(), same_edge), sides.end());
    Edges edges(static_cast<long>(sides.size()), 2);
    for (size_t e = 0; e < sides.size(); ++e) edges.row(static_cast<long>(e)) << sides[e][0], sides[e][1];
    return edges;
}

Quadruples hinges_of(const Triangles& triangles) {
    const std::vector<std::array<int, 3>> sides = sides_of(triangles);
    std::vector<std::array<int, 4>> found;
    for (size_t s = 1; s < sides.size(); ++s)
        if (same_edge(sides[s - 1], sides[s]) && sides[s - 1][2] != sides[s][2])
            found.push_back({sides[s][0], sides[s][1], sides[s - 1][2], sides[s][2]});
    Quadruples hinges(static_cast<long>(found.size()), 4);
    for (size_t h = 0; h < found.size(); ++h)
        for (int k = 0; k < 4; ++k) hinges(static_cast<long>(h), k) = found[h][static_cast<size_t>(k)];
    return hinges;
}

VectorX relative_masses(const Cloth& cloth) {
    double sum = 0;
    long count = 0;
    for (const double mass : cloth.masses)
        if (mass > 0) {
            sum += mass;
            ++count;
        }
    VectorX masses = VectorX::Ones(cloth.masses.size());
    for (long v = 0; v < masses.size(); ++v)
        if (cloth.masses(v) > 0) masses(v) = cloth.masses(v) / (sum / static_cast<double>(count));
    return masses;
}

std::vector<bool> fixed_flags(const Cloth& cloth) {
    std::vector<bool> flags(static_cast<size_t>(cloth.rest_positions.rows()), false);
    for (const int v : cloth.fixed) flags[static_cast<size_t>(v)] = true;
    return flags;
}

}  // namespace tulle::projections
