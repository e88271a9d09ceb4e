// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/creased_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tulle::render {

namespace {

constexpr double crease_cosine = 0.5;  // faces that meet at more than 60 degrees

Vector3 area_vector(const std::array<int, 3>& triangle, const std::vector<Vector3>& positions) {
    const Vector3& origin = positions[static_cast<size_t>(triangle[0])];
    return (positions[static_cast<size_t>(triangle[1])] - origin)
        .cross(positions[static_cast<size_t>(triangle[2])] - origin);
}

// The corners of triangles, joined around each vertex as far as one gets from face to face without a crease: a thin
// limb turns far around a vertex, and has none.
class SmoothParts {
public:
    SmoothParts(const SurfaceTriangles& triangles, const std::vector<Vector3>& positions)
        : joined_(3 * triangles.size()) {
        std::iota(joined_.begin(), joined_.end(), size_t{0});
        std::vector<Vector3> normals;
        std::map<std::pair<int, int>, std::vector<size_t>> triangles_at;  // each edge
        for (size_t t = 0; t < triangles.size(); ++t) {
            normals.push_back(area_vector(triangles[t], positions).normalized());
            for (size_t k = 0; k < 3; ++k)
                triangles_at[std::pair<int, int>(std::minmax({triangles[t][k], triangles[t][(k + 1) % 3]}))].push_back(
                    t);
        }
        for (const auto& [edge, around] : triangles_at)
            for (size_t i = 0; i < around.size(); ++i)
                for (size_t j = 0; j < i; ++j) {
                    if (normals[around[i]].dot(normals[around[j]]) <= crease_cosine) continue;
                    for (const int vertex : {edge.first, edge.second})
                        join(corner(triangles, around[i], vertex), corner(triangles, around[j], vertex));
                }
    }

    // The same number for corners of one part.
    size_t at(size_t triangle, size_t k) const { return root(3 * triangle + k); }

private:
    static size_t corner(const SurfaceTriangles& triangles, size_t t, int vertex) {
        return 3 * t + static_cast<size_t>(std::ranges::find(triangles[t], vertex) - triangles[t].begin());
    }
    size_t root(size_t corner) const {
        while (joined_[corner] != corner) corner = joined_[corner];
        return corner;
    }
    void join(size_t a, size_t b) {
        a = root(a), b = root(b);
        joined_[std::max(a, b)] = std::min(a, b);
    }

    std::vector<size_t> joined_;  // each corner to an earlier one of its part, or itself
};

}  // namespace

CreasedMesh::CreasedMesh(const SurfaceTriangles& triangles, const std::vector<Vector3>& rest_positions)
    : triangles_(triangles) {
    const SmoothParts parts(triangles, rest_positions);
    std::map<size_t, int> vertex_of;  // by part
    for (size_t t = 0; t < triangles.size(); ++t) {
        std::array<int, 3> split;
        for (size_t k = 0; k < 3; ++k) {
            const auto [found, is_new] = vertex_of.try_emplace(parts.at(t, k), static_cast<int>(sources_.size()));
            if (is_new) sources_.push_back(triangles[t][k]);
            split[k] = found->second;
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
