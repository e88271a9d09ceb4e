// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/closed_mesh.h"

#include "tulle/core/error.h"

#include <Eigen/Geometry>

#include <map>
#include <utility>

namespace tulle::collision {

namespace {

void check_indices(const geometry::TriangleMesh& mesh) {
    if (mesh.vertex_count() == 0 || mesh.triangle_count() == 0)
        throw Error("the collider mesh holds no triangles; give a closed surface");
    for (long v = 0; v < mesh.positions.rows(); ++v)
        if (!mesh.positions.row(v).allFinite()) throw Error("vertex {} of the collider mesh is not a finite point", v);
    for (long t = 0; t < mesh.triangles.rows(); ++t)
        for (const int v : mesh.triangles.row(t))
            if (v < 0 || v >= mesh.vertex_count())
                throw Error("triangle {} of the collider mesh names vertex {}, but there are only {}", t, v,
                            mesh.vertex_count());
}

void check_edges(const geometry::TriangleMesh& mesh) {
    struct Use {
        int forward = 0;
        int backward = 0;
    };
    std::map<std::pair<int, int>, Use> uses;
    for (long t = 0; t < mesh.triangles.rows(); ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            const int a = mesh.triangles(t, corner);
            const int b = mesh.triangles(t, (corner + 1) % 3);
            if (a == b) throw Error("triangle {} of the collider mesh names vertex {} twice; remove it", t, a);
            Use& use = uses[std::minmax(a, b)];
            ++(a < b ? use.forward : use.backward);
        }
    }
    for (const auto& [edge, use] : uses) {
        const auto [a, b] = edge;
        const int count = use.forward + use.backward;
        if (count == 1) throw Error("the collider mesh is open at the edge between vertices {} and {}; close it", a, b);
        if (count > 2)
            throw Error("{} triangles of the collider mesh meet at the edge between vertices {} and {}; leave two",
                        count, a, b);
        if (use.forward != use.backward)
            throw Error("the collider mesh is wound both ways at the edge between vertices {} and {}; flip one side", a,
                        b);
    }
}

double signed_volume(const geometry::TriangleMesh& mesh) {
    const Vector3 origin = mesh.positions.row(0);
    double volume = 0;
    for (long t = 0; t < mesh.triangles.rows(); ++t) {
        const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)).transpose() - origin;
        const Vector3 b = mesh.positions.row(mesh.triangles(t, 1)).transpose() - origin;
        const Vector3 c = mesh.positions.row(mesh.triangles(t, 2)).transpose() - origin;
        volume += a.dot(b.cross(c)) / 6;
    }
    return volume;
}

}  // namespace

geometry::TriangleMesh closed_mesh(const geometry::TriangleMesh& mesh) {
    check_indices(mesh);
    check_edges(mesh);
    const double volume = signed_volume(mesh);
    if (volume == 0) throw Error("the collider mesh encloses no volume; give a solid");
    geometry::TriangleMesh result = mesh;
    if (volume < 0) result.triangles.col(1).swap(result.triangles.col(2));
    return result;
}

}  // namespace tulle::collision
