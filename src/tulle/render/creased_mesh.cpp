// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/creased_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>

namespace tulle::render {

namespace {

constexpr double crease_cosine = 0.75;  // faces that meet at more than about 41 degrees

Vector3 area_vector(const std::array<int, 3>& triangle, const std::vector<Vector3>& positions) {
    const Vector3& origin = positions[static_cast<size_t>(triangle[0])];
    return (positions[static_cast<size_t>(triangle[1])] - origin)
        .cross(positions[static_cast<size_t>(triangle[2])] - origin);
}

}  // namespace

CreasedMesh::CreasedMesh(const SurfaceTriangles& triangles, const std::vector<Vector3>& rest_positions)
    : triangles_(triangles) {
    struct Part {
        Vector3 normal;
        int vertex;
    };
    std::vector<std::vector<Part>> parts(rest_positions.size());
    for (const std::array<int, 3>& triangle : triangles) {
        const Vector3 normal = area_vector(triangle, rest_positions).normalized();
        std::array<int, 3> split;
        for (size_t k = 0; k < 3; ++k) {
            auto& around = parts[static_cast<size_t>(triangle[k])];
            auto found = std::find_if(around.begin(), around.end(),
                                      [&](const Part& part) { return part.normal.dot(normal) > crease_cosine; });
            if (found == around.end()) {
                found = around.insert(around.end(), {normal, static_cast<int>(sources_.size())});
                sources_.push_back(triangle[k]);
            }
            split[k] = found->vertex;
        }
        split_triangles_.push_back(split);
    }
}

std::vector<Vector3> CreasedMesh::normals(const std::vector<Vector3>& positions) const {
    std::vector<Vector3> normals(sources_.size(), Vector3::Zero());
    for (size_t t = 0; t < triangles_.size(); ++t) {
        const Vector3 area = area_vector(triangles_[t], positions);
        for (const int vertex : split_triangles_[t]) normals[static_cast<size_t>(vertex)] += area;
    }
    for (Vector3& normal : normals) normal = normal.norm() > 1e-20 ? Vector3(normal.normalized()) : Vector3::UnitZ();
    return normals;
}

}  // namespace tulle::render
