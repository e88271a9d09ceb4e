// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/collision/shape.h"

#include "tests/collision/fixtures.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::collision {

namespace {

Matrix3 tilted() { return Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix(); }

std::vector<std::pair<std::string, std::unique_ptr<Shape>>> all_shapes() {
    std::vector<std::pair<std::string, std::unique_ptr<Shape>>> shapes;
    shapes.emplace_back("plane", make_plane({0.1, 0.2, 0.3}, {1, -1, 2}));
    shapes.emplace_back("sphere", make_sphere({0.1, -0.2, 0.3}, 0.5));
    shapes.emplace_back("capsule", make_capsule({-0.5, 0, 0.1}, {0.4, 0.3, 0.2}, 0.3));
    shapes.emplace_back("box", make_box({0.1, 0, -0.1}, {1, 0.6, 0.8}, tilted()));
    return shapes;
}

}  // namespace

TEST_CASE("The normal of every simple shape is the gradient of its distance") {
    Random random(1);
    for (const auto& [name, shape] : all_shapes()) {
        CAPTURE(name);
        int smooth = 0;
        for (int trial = 0; trial < 300; ++trial) {
            const Vector3 point = random_point(random, 1.2);
            const SurfacePoint surface = shape->surface(point);
            CHECK(surface.distance == test::near(shape->distance(point)));
            CHECK(surface.normal.norm() == test::near(1));
            Vector3 gradient;
            bool kink = false;
            for (int axis = 0; axis < 3; ++axis) {
                const Vector3 h = 1e-5 * Vector3::Unit(axis);
                gradient(axis) = (shape->distance(point + h) - shape->distance(point - h)) / 2e-5;
                kink |= std::abs(shape->distance(point + h) + shape->distance(point - h) - 2 * surface.distance) > 1e-9;
            }
            if (kink) continue;
            ++smooth;
            CHECK((gradient - surface.normal).norm() < 1e-6);
        }
        CHECK(smooth > 200);
    }
}

TEST_CASE("Walking back along the normal by the distance reaches the surface of every simple shape") {
    Random random(2);
    for (const auto& [name, shape] : all_shapes()) {
        CAPTURE(name);
        for (int trial = 0; trial < 300; ++trial) {
            const Vector3 point = random_point(random, 1.5);
            const SurfacePoint surface = shape->surface(point);
            CHECK(std::abs(shape->distance(point - surface.distance * surface.normal)) < 1e-12);
        }
    }
}

TEST_CASE("Distances are negative inside and have their known values") {
    CHECK(make_sphere({0, 0, 0}, 0.5)->distance({0, 0, 2}) == test::near(1.5));
    CHECK(make_sphere({0, 0, 0}, 0.5)->distance({0, 0.1, 0}) == test::near(-0.4));
    CHECK(make_plane({0, 0, 1}, {0, 0, 3})->distance({5, 5, 0.25}) == test::near(-0.75));
    const auto box = make_box({0, 0, 0}, {2, 2, 2}, Matrix3::Identity());
    CHECK(box->distance({2, 2, 1}) == test::near(std::sqrt(2.0)));
    CHECK(box->distance({0.5, 0, 0}) == test::near(-0.5));
    const auto capsule = make_capsule({0, 0, 0}, {1, 0, 0}, 0.25);
    CHECK(capsule->distance({0.5, 1, 0}) == test::near(0.75));
    CHECK(capsule->distance({2, 0, 0}) == test::near(0.75));
}

TEST_CASE("The center of a sphere and the axis of a capsule still have a unit normal") {
    CHECK(make_sphere({1, 2, 3}, 1)->surface({1, 2, 3}).normal.norm() == test::near(1));
    CHECK(make_capsule({0, 0, 0}, {1, 0, 0}, 1)->surface({0.5, 0, 0}).normal.norm() == test::near(1));
    CHECK(make_box({0, 0, 0}, {1, 1, 1}, tilted())->surface({0, 0, 0}).normal.norm() == test::near(1));
}

TEST_CASE("The mesh of every simple shape lies on its surface and is wound outward") {
    for (const auto& [name, shape] : all_shapes()) {
        CAPTURE(name);
        const geometry::TriangleMesh mesh = shape->to_mesh();
        for (long v = 0; v < mesh.positions.rows(); ++v)
            CHECK(std::abs(shape->distance(mesh.positions.row(v))) < 1e-12);
        for (long t = 0; t < mesh.triangles.rows(); ++t) {
            const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                          c = mesh.positions.row(mesh.triangles(t, 2));
            const Vector3 area = (b - a).cross(c - a);
            REQUIRE(area.norm() > 0);
            CHECK(area.dot(shape->surface((a + b + c) / 3 + 0.01 * area.normalized()).normal) > 0);
        }
    }
}

TEST_CASE("The meshes of sphere, capsule and box are closed") {
    for (const auto& [name, shape] : all_shapes()) {
        if (name == "plane") continue;
        CAPTURE(name);
        const geometry::TriangleMesh mesh = shape->to_mesh();
        const geometry::MeshEdges edges = geometry::mesh_edges(mesh);
        CHECK(edges.opposite.minCoeff() >= 0);
        CHECK(mesh.vertex_count() - edges.edges.rows() + mesh.triangle_count() == 2);
    }
}

TEST_CASE("Every simple shape but the tilted plane lies within its bounds") {
    for (const auto& [name, shape] : all_shapes()) {
        if (name == "plane") continue;
        CAPTURE(name);
        const Eigen::AlignedBox3d bounds = shape->bounds();
        Random random(3);
        for (int trial = 0; trial < 2000; ++trial) {
            const Vector3 point = random_point(random, 1.5);
            if (!bounds.contains(point)) CHECK(shape->distance(point) > 0);
        }
    }
    CHECK(make_plane({0, 0, 2}, {0, 0, 1})->bounds().max().z() == 2);
}

TEST_CASE("Shapes that make no sense are refused") {
    CHECK_THROWS_AS(make_plane({0, 0, 0}, {0, 0, 0}), Error);
    CHECK_THROWS_AS(make_sphere({0, 0, 0}, 0), Error);
    CHECK_THROWS_AS(make_sphere({std::nan(""), 0, 0}, 1), Error);
    CHECK_THROWS_AS(make_capsule({0, 0, 0}, {1, 0, 0}, -1), Error);
    CHECK_THROWS_AS(make_box({0, 0, 0}, {1, 0, 1}, Matrix3::Identity()), Error);
    CHECK_THROWS_AS(make_box({0, 0, 0}, {1, 1, 1}, 2 * Matrix3::Identity()), Error);
}

}  // namespace tulle::collision
