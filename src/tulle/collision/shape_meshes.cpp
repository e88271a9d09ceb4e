// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/shape_meshes.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>

namespace tulle::collision {

namespace {

constexpr int meridians = 48;
constexpr int parallels_per_half = 12;

// The two poles come last: bottom, then top.
Triangles lathe_triangles(int rings) {
    Triangles triangles(2L * meridians * rings, 3);
    const int bottom = rings * meridians;
    const int top = bottom + 1;
    long t = 0;
    for (int m = 0; m < meridians; ++m) {
        const int next = (m + 1) % meridians;
        triangles.row(t++) << bottom, next, m;
        for (int r = 0; r + 1 < rings; ++r) {
            const int low = r * meridians;
            const int high = low + meridians;
            triangles.row(t++) << low + m, low + next, high + next;
            triangles.row(t++) << low + m, high + next, high + m;
        }
        triangles.row(t++) << top, (rings - 1) * meridians + m, (rings - 1) * meridians + next;
    }
    return triangles;
}

}  // namespace

geometry::TriangleMesh plane_mesh(const Vector3& point, const Vector3& normal, double size) {
    const Vector3 u = normal.unitOrthogonal();
    const Vector3 v = normal.cross(u);
    const double half = size / 2;
    geometry::TriangleMesh mesh;
    mesh.positions.resize(4, 3);
    mesh.positions.row(0) = point - half * u - half * v;
    mesh.positions.row(1) = point + half * u - half * v;
    mesh.positions.row(2) = point + half * u + half * v;
    mesh.positions.row(3) = point - half * u + half * v;
    mesh.triangles.resize(2, 3);
    mesh.triangles << 0, 1, 2, 0, 2, 3;
    return mesh;
}

geometry::TriangleMesh capsule_mesh(const Vector3& start, const Vector3& end, double radius) {
    const bool is_sphere = start == end;
    const Vector3 axis = is_sphere ? Vector3(Vector3::UnitZ()) : Vector3((end - start).normalized());
    const Vector3 u = axis.unitOrthogonal();
    const Vector3 v = axis.cross(u);
    const int half_rings = parallels_per_half;  // of each hemisphere; a sphere's two equators are one
    const int rings = is_sphere ? 2 * half_rings - 1 : 2 * half_rings;
    geometry::TriangleMesh mesh;
    mesh.positions.resize(rings * meridians + 2, 3);
    for (int r = 0; r < rings; ++r) {
        const bool lower = r < half_rings;
        const int from_equator = lower ? r + 1 - half_rings : r - (is_sphere ? half_rings - 1 : half_rings);
        const double latitude = from_equator * std::numbers::pi / (2 * half_rings);
        const Vector3 center = (lower ? start : end) + radius * std::sin(latitude) * axis;
        for (int m = 0; m < meridians; ++m) {
            const double angle = 2 * std::numbers::pi * m / meridians;
            mesh.positions.row(r * meridians + m) =
                center + radius * std::cos(latitude) * (std::cos(angle) * u + std::sin(angle) * v);
        }
    }
    mesh.positions.row(rings * meridians) = start - radius * axis;
    mesh.positions.row(rings * meridians + 1) = end + radius * axis;
    mesh.triangles = lathe_triangles(rings);
    return mesh;
}

geometry::TriangleMesh box_mesh(const Vector3& center, const Vector3& size, const Matrix3& orientation) {
    geometry::TriangleMesh mesh;
    mesh.positions.resize(8, 3);
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        mesh.positions.row(corner) = center + orientation * Vector3(0.5 * size.cwiseProduct(sign));
    }
    mesh.triangles.resize(12, 3);
    mesh.triangles << 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6,  // bottom, top
        0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7,                // front, back
        0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5;                // left, right
    return mesh;
}

}  // namespace tulle::collision
