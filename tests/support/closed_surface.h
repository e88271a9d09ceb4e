// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

#include <map>
#include <utility>

namespace tulle::test {

// Whether every edge has two triangles that run along it in opposite directions.
inline bool is_closed(const geometry::TriangleMesh& mesh) {
    std::map<std::pair<int, int>, int> uses;
    for (const auto& t : mesh.triangles.rowwise())
        for (int k = 0; k < 3; ++k)
            if (++uses[{t(k), t((k + 1) % 3)}] > 1) return false;
    for (const auto& [edge, count] : uses)
        if (!uses.contains({edge.second, edge.first})) return false;
    return true;
}

// V − E + F: 2 for a surface like a ball's.
inline long euler_characteristic(const geometry::TriangleMesh& mesh) {
    return mesh.vertex_count() - geometry::mesh_edges(mesh).edges.rows() + mesh.triangle_count();
}

inline double volume(const Positions& positions, const Triangles& triangles) {
    double sum = 0;
    for (const auto& t : triangles.rowwise()) {
        const Vector3 a = positions.row(t(0)), b = positions.row(t(1)), c = positions.row(t(2));
        sum += a.dot(b.cross(c)) / 6;
    }
    return sum;
}

}  // namespace tulle::test
