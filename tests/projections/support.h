// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/tube.h"
#include "tulle/projections/inextensibility.h"
#include "tulle/projections/quasistatics.h"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <functional>
#include <vector>

namespace tulle::projections::test {

using tulle::test::deform;
using tulle::test::Deformation;
using tulle::test::make_tube;
using tulle::test::Tube;

inline Cloth tube_cloth(const Tube& tube, std::vector<int> fixed = {}) {
    return cloth_of_areas(tube.positions, tube.triangles, std::move(fixed));
}

// A flat rectangle of rows × columns vertices, 0.1 m apart, with one diagonal in each cell.
inline Cloth flat_cloth(int rows, int columns, std::vector<int> fixed = {}) {
    Positions positions(rows * columns, 3);
    Triangles triangles(2L * (rows - 1) * (columns - 1), 3);
    long t = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            const int v = r * columns + c;
            positions.row(v) << 0.1 * c, 0.1 * r, 0;
            if (r + 1 == rows || c + 1 == columns) continue;
            triangles.row(t++) << v, v + 1, v + columns + 1;
            triangles.row(t++) << v, v + columns + 1, v + columns;
        }
    return cloth_of_areas(positions, triangles, std::move(fixed));
}

inline Positions random_rows(long count, double amplitude, std::uint64_t seed) {
    Random random(seed);
    Positions rows(count, 3);
    for (double& value : rows.reshaped<Eigen::RowMajor>()) value = random.uniform(-amplitude, amplitude);
    return rows;
}

// Largest and smallest length of an edge relative to its rest length.
struct Stretch {
    double largest = 0, smallest = 1e300;
};
inline Stretch stretch_of(const Cloth& cloth, const Positions& positions) {
    Stretch stretch;
    const Edges edges = edges_of(cloth.triangles);
    for (const auto edge : edges.rowwise()) {
        const double rest = (cloth.rest_positions.row(edge(0)) - cloth.rest_positions.row(edge(1))).norm();
        const double ratio = (positions.row(edge(0)) - positions.row(edge(1))).norm() / rest;
        stretch.largest = std::max(stretch.largest, ratio);
        stretch.smallest = std::min(stretch.smallest, ratio);
    }
    return stretch;
}

inline double distance(const Positions& a, const Positions& b) { return (a - b).cwiseAbs().maxCoeff(); }

// weights · apply(positions), whose gradient by the projected positions is `weights`.
inline double loss(const Projection& projection, const Positions& positions, const Positions& weights,
                   const ApplyOptions& options = {}) {
    const Projected projected = projection.apply(positions, options);
    REQUIRE(projected.report.solved);
    return projected.positions.cwiseProduct(weights).sum();
}

// The adjoint against central differences along random directions, relative to the size of the gradient.
inline void check_adjoint(const Projection& projection, const Positions& positions, double step, double tolerance,
                          const ApplyOptions& options = {}, int directions = 6) {
    const Positions weights = random_rows(positions.rows(), 1, 11);
    const Projected projected = projection.apply(positions, options);
    REQUIRE(projected.report.solved);
    const Gradients gradients = projection.adjoint(projected, weights);
    CHECK(gradients.report.solved);
    CHECK(gradients.report.definite);
    for (int k = 0; k < directions; ++k) {
        const Positions direction = random_rows(positions.rows(), 1, 100 + static_cast<std::uint64_t>(k));
        const double expected = (loss(projection, positions + step * direction, weights, options) -
                                 loss(projection, positions - step * direction, weights, options)) /
                                (2 * step);
        const double found = gradients.positions.cwiseProduct(direction).sum();
        const double size =
            gradients.positions.norm() * direction.norm() / std::sqrt(static_cast<double>(direction.size()));
        CAPTURE(expected);
        CAPTURE(found);
        CHECK(std::abs(found - expected) <= tolerance * std::max(size, std::abs(expected)));
    }
}

inline Eigen::Isometry3d some_motion() {
    Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
    motion.translate(Vector3(0.3, -1.2, 0.7)).rotate(Eigen::AngleAxisd(1.1, Vector3(1, 2, -0.5).normalized()));
    return motion;
}
inline Positions moved(const Eigen::Isometry3d& motion, const Positions& positions) {
    return (positions * motion.linear().transpose()).rowwise() + motion.translation().transpose();
}

}  // namespace tulle::projections::test
