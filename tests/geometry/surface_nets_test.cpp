// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/surface_nets.h"
#include "tests/support/closed_surface.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/remesh.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace tulle;
using namespace tulle::geometry;

namespace {

double ball(const Vector3& point) { return point.norm() - 0.3; }
const Eigen::AlignedBox3d around_ball(Vector3::Constant(-0.35), Vector3::Constant(0.35));

}  // namespace

TEST_CASE("Surface nets of a ball are closed, on the ball, and wound outward") {
    const TriangleMesh mesh = surface_nets(ball, around_ball, {.spacing = 0.03});
    CHECK(test::is_closed(mesh));
    CHECK(test::euler_characteristic(mesh) == 2);
    CHECK((mesh.positions.rowwise().norm().array() - 0.3).abs().maxCoeff() < 1e-6);
    CHECK(test::volume(mesh.positions, mesh.triangles) ==
          doctest::Approx(4.0 / 3 * std::numbers::pi * 0.027).epsilon(0.02));
}

TEST_CASE("Surface nets are manifold where solids touch at an edge or a corner of the grid only") {
    const auto boxes = [](const Vector3& p) {
        const auto box = [&](const Vector3& center) {
            return ((p - center).cwiseAbs() - Vector3::Constant(0.1)).maxCoeff();
        };
        return std::min({box({-0.1, -0.1, -0.1}), box({0.1, 0.1, -0.1}), box({0.1, -0.1, 0.1}), box({-0.1, 0.1, 0.1})});
    };
    for (const double spacing : {0.031, 0.04, 0.05})
        CHECK(test::is_closed(surface_nets(boxes, around_ball, {.spacing = spacing, .relaxations = 0})));
}

TEST_CASE("A remeshed ball has edges of about the wanted length, a closed surface, and the same bits on any thread") {
    const TriangleMesh fine = surface_nets(ball, around_ball, {.spacing = 0.015});
    const auto wanted = [](const Vector3& point) { return point.z() > 0 ? 0.05 : 0.025; };
    const RemeshSettings settings{.edge_length = wanted,
                                  .to_surface = [](const Vector3& p) { return drawn_to_surface(ball, p, 0.01); }};
    const TriangleMesh mesh = remesh(fine, settings);
    CHECK(test::is_closed(mesh));
    CHECK(test::euler_characteristic(mesh) == 2);
    CHECK((mesh.positions.rowwise().norm().array() - 0.3).abs().maxCoeff() < 1e-6);
    double sum = 0;
    long count = 0;
    const Edges edges = mesh_edges(mesh).edges;
    for (const auto& edge : edges.rowwise()) {
        const Vector3 a = mesh.positions.row(edge(0)), b = mesh.positions.row(edge(1));
        CHECK((a - b).norm() < 2 * wanted(0.5 * (a + b)));
        sum += (a - b).norm() / wanted(0.5 * (a + b));
        ++count;
    }
    CHECK(sum / static_cast<double>(count) == doctest::Approx(1).epsilon(0.15));
    const ThreadCountScope alone(1);
    CHECK(remesh(fine, settings).positions == mesh.positions);
}
