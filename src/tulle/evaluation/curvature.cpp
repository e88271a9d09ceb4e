// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/curvature.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <vector>

namespace tulle::evaluation {

namespace {

struct Side {
    std::array<int, 2> vertices{};  // in the order of the first triangle
    int first = -1, second = -1;    // triangles; -1: none
};

std::vector<Side> sides_of(const geometry::TriangleMesh& mesh) {
    const geometry::MeshEdges edges = geometry::mesh_edges(mesh);
    std::vector<Side> sides(static_cast<size_t>(edges.edges.rows()));
    for (int t = 0; t < mesh.triangle_count(); ++t)
        for (int k = 0; k < 3; ++k) {
            Side& side = sides[static_cast<size_t>(edges.of_triangle(t, k))];
            if (side.first < 0)
                side = {.vertices = {mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3)}, .first = t};
            else
                side.second = t;
        }
    std::erase_if(sides, [](const Side& side) { return side.second < 0; });
    return sides;
}

}  // namespace

CurvatureMeter::CurvatureMeter(const geometry::TriangleMesh& rest)
    : triangles_(rest.triangles), areas_(geometry::vertex_areas(rest.positions, rest.triangles)) {
    const std::vector<Side> sides = sides_of(rest);
    edges_.resize(static_cast<long>(sides.size()), 2);
    beside_.resize(edges_.rows(), 2);
    for (long e = 0; e < edges_.rows(); ++e) {
        const Side& side = sides[static_cast<size_t>(e)];
        edges_.row(e) << side.vertices[0], side.vertices[1];
        beside_.row(e) << side.first, side.second;
    }
}

VectorX CurvatureMeter::measure(const Positions& positions) const {
    Positions normals(triangles_.rows(), 3);
    for (long t = 0; t < triangles_.rows(); ++t) {
        const Vector3 a = positions.row(triangles_(t, 0)), b = positions.row(triangles_(t, 1)),
                      c = positions.row(triangles_(t, 2));
        normals.row(t) = (b - a).cross(c - a).normalized();
    }
    VectorX sums = VectorX::Zero(positions.rows());
    for (long e = 0; e < edges_.rows(); ++e) {
        const Vector3 along = positions.row(edges_(e, 1)) - positions.row(edges_(e, 0));
        const Vector3 first = normals.row(beside_(e, 0)), second = normals.row(beside_(e, 1));
        const double length = along.norm();
        if (length == 0) continue;  // it has no direction, and no weight
        const double angle = std::atan2(first.cross(second).dot(along) / length, first.dot(second));
        for (int end = 0; end < 2; ++end) sums(edges_(e, end)) += angle * length;
    }
    return sums.cwiseAbs().cwiseQuotient(4 * areas_);
}

}  // namespace tulle::evaluation
