// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/creased_mesh.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tulle;
using namespace tulle::render;

namespace {

struct Mesh {
    std::vector<Vector3> positions;
    SurfaceTriangles triangles;
};

// Around the z axis, of radius 1, with so many flat sides, open at both ends.
Mesh prism(int sides) {
    Mesh mesh;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        const int here = 2 * i, next = 2 * ((i + 1) % sides);
        for (const double z : {0.0, 1.0}) mesh.positions.emplace_back(std::cos(angle), std::sin(angle), z);
        mesh.triangles.push_back({here, next, next + 1});
        mesh.triangles.push_back({here, next + 1, here + 1});
    }
    return mesh;
}

}  // namespace

TEST_CASE("A thin limb is smooth all around, although its faces turn far at each vertex") {
    const Mesh limb = prism(8);  // three faces meet at each vertex and turn by 45 degrees from side to side
    const CreasedMesh creased(limb.triangles, limb.positions);
    CHECK(creased.sources().size() == limb.positions.size());
    const std::vector<Vector3> normals = creased.normals(limb.positions);
    for (size_t v = 0; v < normals.size(); ++v) {
        const Vector3& place = limb.positions[static_cast<size_t>(creased.sources()[v])];
        CHECK(normals[v].dot(Vector3(place.x(), place.y(), 0)) > 0.98);
    }
}

TEST_CASE("A box is creased at each of its edges") {
    const Mesh box = prism(4);
    const CreasedMesh creased(box.triangles, box.positions);
    CHECK(creased.sources().size() == 2 * box.positions.size());
    const std::vector<Vector3> normals = creased.normals(box.positions);
    for (const auto& triangle : creased.triangles())
        for (const int vertex : triangle)
            CHECK((normals[static_cast<size_t>(vertex)] - normals[static_cast<size_t>(triangle[0])]).norm() < 1e-12);
}

TEST_CASE("A mesh keeps its creases when it bends") {
    const Mesh box = prism(4);
    const CreasedMesh creased(box.triangles, box.positions);
    std::vector<Vector3> flattened = box.positions;
    for (Vector3& position : flattened) position.x() *= 0.1;
    const std::vector<Vector3> normals = creased.normals(flattened);
    CHECK(normals.size() == 2 * box.positions.size());
    for (const Vector3& normal : normals) CHECK(normal.norm() == doctest::Approx(1));
}
