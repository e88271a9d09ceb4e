// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/triangle_mesh.h"

#include "tulle/core/error.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace tulle::geometry {

namespace {

Vector3 area_vector(const Positions& positions, const Triangles& triangles, long t) {
    const Vector3 a = positions.row(triangles(t, 0));
    const Vector3 b = positions.row(triangles(t, 1));
    const Vector3 c = positions.row(triangles(t, 2));
    return 0.5 * (b - a).cross(c - a);
}

std::uint64_t edge_key(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
}

}  // namespace

MeshEdges mesh_edges(const TriangleMesh& mesh) {
    MeshEdges result;
    result.of_triangle.resize(mesh.triangle_count(), 3);
    std::unordered_map<std::uint64_t, int> index_of;
    std::vector<std::array<int, 4>> found;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            const int a = mesh.triangles(t, corner);
            const int b = mesh.triangles(t, (corner + 1) % 3);
            const int opposite = mesh.triangles(t, (corner + 2) % 3);
            const auto [entry, is_new] = index_of.try_emplace(edge_key(a, b), static_cast<int>(found.size()));
            if (is_new) {
                found.push_back({std::min(a, b), std::max(a, b), opposite, -1});
            } else if (auto& edge = found[static_cast<size_t>(entry->second)]; edge[3] < 0) {
                edge[3] = opposite;
            } else {
                throw Error(
                    "the edge between vertices {} and {} belongs to more than two triangles; split the mesh there",
                    edge[0], edge[1]);
            }
            result.of_triangle(t, corner) = entry->second;
        }
    }
    result.edges.resize(static_cast<long>(found.size()), 2);
    result.opposite.resize(static_cast<long>(found.size()), 2);
    for (size_t e = 0; e < found.size(); ++e) {
        result.edges.row(static_cast<long>(e)) << found[e][0], found[e][1];
        result.opposite.row(static_cast<long>(e)) << found[e][2], found[e][3];
    }
    return result;
}

void check_cloth_mesh(const TriangleMesh& mesh, const std::string& source) {
    if (mesh.vertex_count() == 0 || mesh.triangle_count() == 0)
        throw Error("'{}' holds no triangles; a cloth needs at least one", source);
    for (int v = 0; v < mesh.vertex_count(); ++v)
        if (!mesh.positions.row(v).allFinite()) throw Error("'{}': vertex {} is not a finite point", source, v);
    std::vector<bool> used(static_cast<size_t>(mesh.vertex_count()), false);
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        for (const int v : mesh.triangles.row(t)) {
            if (v < 0 || v >= mesh.vertex_count())
                throw Error("'{}': triangle {} names vertex {}, but there are only {}", source, t, v,
                            mesh.vertex_count());
            used[static_cast<size_t>(v)] = true;
        }
        if (!(area_vector(mesh.positions, mesh.triangles, t).norm() > 0))
            throw Error("'{}': triangle {} has no area; remove it or merge its vertices", source, t);
    }
    const auto isolated = std::find(used.begin(), used.end(), false);
    if (isolated != used.end())
        throw Error("'{}': vertex {} belongs to no triangle; remove it", source, isolated - used.begin());
    try {
        mesh_edges(mesh);
    } catch (const Error& error) {
        throw Error("'{}': {}", source, error.what());
    }
}

VectorX triangle_areas(const Positions& positions, const Triangles& triangles) {
    VectorX areas(triangles.rows());
    for (long t = 0; t < triangles.rows(); ++t) areas(t) = area_vector(positions, triangles, t).norm();
    return areas;
}

VectorX vertex_areas(const Positions& positions, const Triangles& triangles) {
    VectorX areas = VectorX::Zero(positions.rows());
    for (long t = 0; t < triangles.rows(); ++t) {
        const double third = area_vector(positions, triangles, t).norm() / 3;
        for (const int v : triangles.row(t)) areas(v) += third;
    }
    return areas;
}

Positions vertex_normals(const Positions& positions, const Triangles& triangles) {
    Positions normals = Positions::Zero(positions.rows(), 3);
    for (long t = 0; t < triangles.rows(); ++t) {
        const Vector3 area = area_vector(positions, triangles, t);
        for (const int v : triangles.row(t)) normals.row(v) += area;
    }
    normals.rowwise().normalize();
    return normals;
}

}  // namespace tulle::geometry
