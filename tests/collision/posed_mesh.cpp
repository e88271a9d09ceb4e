// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/posed_mesh.h"

#include "tests/collision/fixtures.h"
#include "tests/support/near.h"
#include "tulle/collision/separation.h"

#include <doctest/doctest.h>

namespace tulle::collision {

namespace {

struct Posed {
    ClosedTopology topology;
    PosedMesh shape;
    explicit Posed(const geometry::TriangleMesh& mesh) : topology(mesh), shape(topology, mesh.positions) {}
};

// A ball with dents: far from convex, and its triangles differ in size.
geometry::TriangleMesh dented_ball() {
    geometry::TriangleMesh mesh = make_sphere({0.1, 0, 0}, 0.5)->to_mesh();
    for (long v = 0; v < mesh.positions.rows(); ++v) {
        const Vector3 x = mesh.positions.row(v);
        mesh.positions.row(v) *= 1 - 0.5 * std::exp(-30 * (x - Vector3(0.6, 0, 0)).squaredNorm());
    }
    return mesh;
}

}  // namespace

TEST_CASE(
    "The distance to a box of triangles is the distance to the box, inside and outside, at faces, edges and "
    "corners") {
    const auto box = make_box({0.1, 0.2, -0.1}, {0.6, 0.4, 1},
                              Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix());
    const Posed posed(box->to_mesh());
    Random random(5);
    int inside = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vector3 point = random_point(random, 0.8);
        const SurfacePoint expected = box->surface(point), found = posed.shape.surface(point);
        CHECK(std::abs(found.distance - expected.distance) < 1e-12);
        inside += found.distance < 0 ? 1 : 0;
        if (found.distance > 0) CHECK((found.normal - expected.normal).norm() < 1e-9);
    }
    CHECK(inside > 100);
}

TEST_CASE("The tree finds the nearest of all triangles") {
    const Posed posed(dented_ball());
    const geometry::TriangleMesh mesh = posed.shape.to_mesh();
    Random random(6);
    for (int i = 0; i < 300; ++i) {
        const Vector3 point = random_point(random, i % 2 == 0 ? 0.7 : 5.0);
        double nearest = 1e9;
        for (long t = 0; t < mesh.triangles.rows(); ++t)
            nearest = std::min(nearest, vertex_triangle_separation({point, mesh.positions.row(mesh.triangles(t, 0)),
                                                                    mesh.positions.row(mesh.triangles(t, 1)),
                                                                    mesh.positions.row(mesh.triangles(t, 2))})
                                            .distance());
        CHECK(std::abs(posed.shape.distance(point)) == test::near(nearest).epsilon(1e-12));
        CHECK((posed.shape.search().at(posed.shape.search().nearest(point)) - point).norm() ==
              test::near(nearest).epsilon(1e-12));
    }
}

TEST_CASE("A dented ball knows its inside as the winding number does, and its normal is the slope of the distance") {
    Colliders colliders;
    colliders.push_back({.name = "ball"});
    const geometry::TriangleMesh mesh = dented_ball();
    colliders.back().deforming = std::make_unique<DeformingMesh>(
        mesh.triangles, geometry::DeformingMotion{.times = {0}, .positions = {mesh.positions}});
    const PosedMesh shape = colliders.back().deforming->at(0);
    Random random(7);
    Positions points(500, 3);
    for (long i = 0; i < points.rows(); ++i) points.row(i) = random_point(random, 0.7);
    std::vector<double> depth(500, 0);
    for (const DeepVertex& deep : find_deep_vertices(points, colliders, 0, 0))
        depth[static_cast<size_t>(deep.vertex)] = deep.depth;
    for (long i = 0; i < points.rows(); ++i) {
        const Vector3 point = points.row(i);
        const SurfacePoint found = shape.surface(point);
        CHECK(std::abs(std::max(0.0, -found.distance) - depth[static_cast<size_t>(i)]) < 1e-12);
        constexpr double h = 1e-6;
        const double slope =
            (shape.distance(point + h * found.normal) - shape.distance(point - h * found.normal)) / (2 * h);
        CHECK(found.normal.norm() == test::near(1));
        if (std::abs(found.distance) > h) CHECK(slope > 0.6);  // 1, but for points half way between two triangles
    }
}

TEST_CASE("On the surface itself the distance is zero and the normal points out, at corners and edges too") {
    const geometry::TriangleMesh box = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    const Posed posed(box);
    for (const Vector3& point : {Vector3(0.5, 0.1, 0.2), Vector3(0.5, 0.5, 0.1), Vector3(0.5, 0.5, 0.5)}) {
        const SurfacePoint found = posed.shape.surface(point);
        CHECK(std::abs(found.distance) < 1e-12);
        CHECK(found.normal.norm() == test::near(1));
        CHECK(found.normal.x() > 0.5);
        CHECK(posed.shape.distance(point + 1e-3 * found.normal) > 0.9e-3 / std::sqrt(3));
    }
}

TEST_CASE("Triangles without area do no harm") {
    geometry::TriangleMesh mesh = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    mesh.positions.row(0) = mesh.positions.row(1);  // one edge of the box has no length any more
    const Posed posed(mesh);
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const SurfacePoint found = posed.shape.surface(random_point(random, 0.8));
        CHECK(std::isfinite(found.distance));
        CHECK(found.normal.norm() == test::near(1));
    }
}

}  // namespace tulle::collision
