// SPDX-License-Identifier: Apache-2.0
#include "tests/collision/fixtures.h"
#include "tests/support/near.h"
#include "tulle/collision/shape.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::collision {

namespace {

void check_within_a_voxel(const Shape& solid, double voxel) {
    const auto level_set = make_mesh_shape(solid.to_mesh(), voxel);
    Random random(4);
    int near = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Vector3 point = random_point(random, 0.8);
        const double exact = solid.distance(point);
        const SurfacePoint found = level_set->surface(point);
        CHECK(found.distance == test::near(level_set->distance(point)));
        if (std::abs(exact) < 3 * voxel) {
            ++near;
            CHECK(std::abs(found.distance - exact) < voxel);
        } else {
            CHECK(found.distance * exact > 0);
            CHECK(std::abs(found.distance) < std::abs(exact) + 2 * voxel);
        }
    }
    CHECK(near > 50);
}

}  // namespace

TEST_CASE(
    "The level set of a sphere mesh is within a voxel of the sphere's distance and has the right sign elsewhere") {
    check_within_a_voxel(*make_sphere({0.05, 0, -0.02}, 0.4), 0.02);
}

TEST_CASE("The level set of a box mesh is within a voxel of the box's distance and has the right sign elsewhere") {
    check_within_a_voxel(*make_box({0.05, 0, -0.02}, {0.6, 0.5, 0.9}, Matrix3::Identity()), 0.02);
}

TEST_CASE("The normal of a level set is the gradient of its distance") {
    const auto solid = make_sphere({0, 0, 0}, 0.4);
    const auto level_set = make_mesh_shape(solid->to_mesh(), 0.02);
    Random random(5);
    int tried = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Vector3 point = random_point(random, 0.6);
        if (std::abs(solid->distance(point)) > 0.05) continue;
        Vector3 gradient;
        for (int axis = 0; axis < 3; ++axis) {
            const Vector3 h = 1e-6 * Vector3::Unit(axis);
            gradient(axis) = (level_set->distance(point + h) - level_set->distance(point - h)) / 2e-6;
        }
        const Vector3 normal = level_set->surface(point).normal;
        CHECK((gradient.normalized() - normal).norm() < 1e-3);
        CHECK(normal.dot(point.normalized()) > 0.98);
        ++tried;
    }
    CHECK(tried > 100);
}

TEST_CASE("A level set points outward and keeps its sign far away and deep inside") {
    const auto level_set = make_mesh_shape(make_sphere({0, 0, 0}, 0.5)->to_mesh(), 0.01);
    const SurfacePoint far = level_set->surface({30, 0, 0});
    CHECK(far.distance == test::near(29.5).epsilon(0.01));
    CHECK(far.normal.x() == test::near(1).epsilon(0.01));
    const SurfacePoint deep = level_set->surface({0, 0.1, 0});
    CHECK(deep.distance == test::near(-0.4).epsilon(0.05));
    CHECK(deep.normal.y() > 0.9);
    CHECK(level_set->distance({0, 0, 0}) < -0.4);
    CHECK(level_set->surface({0, 0, 0}).normal.norm() == test::near(1));
}

TEST_CASE("A mesh wound inward gives the same solid, wound outward") {
    geometry::TriangleMesh mesh = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    mesh.triangles.col(0).swap(mesh.triangles.col(1));
    const auto level_set = make_mesh_shape(mesh, 0.05);
    CHECK(level_set->distance({0, 0, 0}) < 0);
    CHECK(level_set->distance({0, 0, 1}) > 0);
    const geometry::TriangleMesh back = level_set->to_mesh();
    const Vector3 a = back.positions.row(back.triangles(0, 0)), b = back.positions.row(back.triangles(0, 1)),
                  c = back.positions.row(back.triangles(0, 2));
    CHECK((b - a).cross(c - a).dot(a) > 0);
}

TEST_CASE("Meshes that bound no solid are refused") {
    const geometry::TriangleMesh box = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    CHECK_THROWS_AS(make_mesh_shape({}, 0.1), Error);
    geometry::TriangleMesh open = box;
    open.triangles = box.triangles.topRows(11).eval();
    CHECK_THROWS_WITH_AS(make_mesh_shape(open, 0.1), doctest::Contains("open"), Error);
    geometry::TriangleMesh triple = box;
    triple.triangles.conservativeResize(13, 3);
    triple.triangles.row(12) = box.triangles.row(0);
    CHECK_THROWS_WITH_AS(make_mesh_shape(triple, 0.1), doctest::Contains("meet at the edge"), Error);
    geometry::TriangleMesh flipped = box;
    std::swap(flipped.triangles(0, 0), flipped.triangles(0, 1));
    CHECK_THROWS_WITH_AS(make_mesh_shape(flipped, 0.1), doctest::Contains("both ways"), Error);
    geometry::TriangleMesh wild = box;
    wild.triangles(3, 1) = 8;
    CHECK_THROWS_WITH_AS(make_mesh_shape(wild, 0.1), doctest::Contains("names vertex 8"), Error);
    geometry::TriangleMesh endless = box;
    endless.positions(2, 1) = std::nan("");
    CHECK_THROWS_WITH_AS(make_mesh_shape(endless, 0.1), doctest::Contains("not a finite point"), Error);
}

TEST_CASE("A voxel size that would take absurdly many voxels is refused") {
    const geometry::TriangleMesh box = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    CHECK_THROWS_WITH_AS(make_mesh_shape(box, 1e-5), doctest::Contains("use larger ones"), Error);
    CHECK_THROWS_AS(make_mesh_shape(box, 0), Error);
    CHECK_THROWS_AS(make_mesh_shape(box, std::nan("")), Error);
}

}  // namespace tulle::collision
