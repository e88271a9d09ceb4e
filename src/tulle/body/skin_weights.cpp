// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/skin_weights.h"

#include "tulle/core/error.h"
#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <numeric>

namespace tulle::body {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int influence_count = 4;

// M + L with the lumped areas M and the cotangent Laplacian L, whose conductivity is ½ spread². Cotangents of obtuse
// angles are taken as 0, so that no weight leaves [0, 1].
SparseMatrix heat_matrix(const Positions& positions, const Triangles& triangles, const VectorX& spread) {
    const VectorX areas = geometry::vertex_areas(positions, triangles);
    std::vector<Eigen::Triplet<double>> entries;
    for (long v = 0; v < areas.size(); ++v) entries.emplace_back(v, v, areas(v));
    for (const auto& triangle : triangles.rowwise())
        for (int k = 0; k < 3; ++k) {
            const int a = triangle(k), b = triangle((k + 1) % 3), c = triangle((k + 2) % 3);
            const Vector3 u = positions.row(b) - positions.row(a), w = positions.row(c) - positions.row(a);
            const double here = (spread(a) + spread(b) + spread(c)) / 3;
            const double weight = 0.25 * here * here * std::max(u.dot(w) / u.cross(w).norm(), 0.0);
            for (const auto& [i, j, value] :
                 {std::tuple{b, b, weight}, {c, c, weight}, {b, c, -weight}, {c, b, -weight}})
                entries.emplace_back(i, j, value);
        }
    SparseMatrix matrix(areas.size(), areas.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

void keep_largest(const Eigen::MatrixXd& membership, SkinInfluences& influences) {
    std::vector<int> order(static_cast<size_t>(membership.cols()));
    for (long v = 0; v < membership.rows(); ++v) {
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + influence_count, order.end(), [&](int a, int b) {
            return membership(v, a) != membership(v, b) ? membership(v, a) > membership(v, b) : a < b;
        });
        for (int k = 0; k < influence_count; ++k) {
            influences.joints(v, k) = order[static_cast<size_t>(k)];
            influences.weights(v, k) = std::max(membership(v, order[static_cast<size_t>(k)]), 0.0);
        }
        influences.weights.row(v) /= influences.weights.row(v).sum();
    }
}

}  // namespace

SkinInfluences spread_weights(const Positions& positions, const Triangles& triangles, const std::vector<int>& joint_of,
                              int joint_count, const VectorX& spread) {
    if (!(geometry::triangle_areas(positions, triangles).minCoeff() > 0))
        throw Error("a triangle of the skin has no area");
    const Eigen::SimplicialLDLT<SparseMatrix> solver(heat_matrix(positions, triangles, spread));
    const VectorX areas = geometry::vertex_areas(positions, triangles);
    Eigen::MatrixXd membership = Eigen::MatrixXd::Zero(positions.rows(), joint_count);
    for (long v = 0; v < positions.rows(); ++v) membership(v, joint_of[static_cast<size_t>(v)]) = 1;
    for (int step = 0; step < 2; ++step) {
        const Eigen::MatrixXd heat = areas.asDiagonal() * membership;
        membership = solver.solve(heat);
    }
    SkinInfluences influences{InfluenceJoints(positions.rows(), influence_count),
                              InfluenceWeights(positions.rows(), influence_count)};
    keep_largest(membership, influences);
    return influences;
}

}  // namespace tulle::body
