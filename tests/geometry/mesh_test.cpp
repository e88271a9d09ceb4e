// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/rigid_motion.h"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>

using namespace tulle;
using namespace tulle::geometry;

namespace {

TriangleMesh two_triangles() {
    TriangleMesh mesh;
    mesh.positions.resize(4, 3);
    mesh.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0;
    mesh.triangles.resize(2, 3);
    mesh.triangles << 0, 1, 2, 1, 3, 2;
    return mesh;
}

}  // namespace

TEST_CASE("A grid has its corners where its placement says and all normals to one side") {
    const GridCloth cloth = make_grid_cloth({3, 5}, {.origin = {1, 2, 3}, .width = 4, .height = 2});
    CHECK(cloth.mesh.vertex_count() == 15);
    CHECK(cloth.mesh.triangle_count() == 16);
    CHECK(Vector3(cloth.mesh.positions.row(14)).isApprox(Vector3(5, 2, 1)));
    CHECK(triangle_areas(cloth.mesh.positions, cloth.mesh.triangles).sum() == test::near(8));
    CHECK(vertex_areas(cloth.mesh.positions, cloth.mesh.triangles).sum() == test::near(8));
    const Positions normals = vertex_normals(cloth.mesh.positions, cloth.mesh.triangles);
    CHECK((normals.rowwise() - normals.row(0)).norm() < 1e-12);
    CHECK(cloth.mesh.tex_coords.row(0).isApprox(Eigen::RowVector2d(0, 1)));
}

TEST_CASE("A grid needs two rows and two columns") {
    CHECK_THROWS_AS(make_grid_cloth({1, 5}, {}), Error);
    CHECK_THROWS_AS(make_grid_cloth({5, 1}, {}), Error);
}

TEST_CASE("Edges know the vertices opposite them, and border edges have one") {
    const MeshEdges edges = mesh_edges(two_triangles());
    REQUIRE(edges.edges.rows() == 5);
    int inner = 0;
    for (int e = 0; e < 5; ++e) {
        if (edges.opposite(e, 1) < 0) continue;
        ++inner;
        CHECK(edges.edges.row(e) == Eigen::RowVector2i(1, 2));
        CHECK(edges.opposite.row(e) == Eigen::RowVector2i(0, 3));
    }
    CHECK(inner == 1);
    CHECK(edges.of_triangle(0, 1) == edges.of_triangle(1, 2));
}

TEST_CASE("A mesh that cannot be a cloth is refused with a sentence that says why") {
    const auto refused = [](const TriangleMesh& mesh, const char* why) {
        CHECK_THROWS_WITH_AS(check_cloth_mesh(mesh, "shirt.obj"), doctest::Contains(why), Error);
    };
    refused({}, "holds no triangles");
    TriangleMesh mesh = two_triangles();
    check_cloth_mesh(mesh, "shirt.obj");
    mesh.triangles(1, 1) = 4;
    refused(mesh, "names vertex 4");
    mesh = two_triangles();
    mesh.triangles(1, 1) = -1;
    refused(mesh, "names vertex -1");
    mesh = two_triangles();
    mesh.positions(2, 1) = std::numeric_limits<double>::quiet_NaN();
    refused(mesh, "vertex 2 is not a finite point");
    mesh = two_triangles();
    mesh.triangles.row(1) << 1, 1, 2;
    refused(mesh, "has no area");
    mesh = two_triangles();
    mesh.triangles.conservativeResize(1, 3);
    refused(mesh, "vertex 3 belongs to no triangle");
    mesh = two_triangles();
    mesh.positions.conservativeResize(5, 3);
    mesh.positions.row(4) << 0, 0, 1;
    mesh.triangles.conservativeResize(3, 3);
    mesh.triangles.row(2) << 2, 1, 4;
    refused(mesh, "more than two triangles");
}

TEST_CASE("A rigid motion holds its ends, interpolates between and turns past a full turn") {
    const RigidMotion motion{.center = {1, 0, 0},
                             .axis = Vector3::UnitZ(),
                             .keyframes = {{1, Vector3::Zero(), 0}, {2, Vector3(0, 0, 2), 4 * std::numbers::pi}}};
    const Vector3 point(2, 0, 0);
    CHECK((motion.at(0) * point).isApprox(point));
    CHECK((motion.at(1.125) * point).isApprox(Vector3(1, 1, 0.25)));
    CHECK((motion.at(1.25) * point).isApprox(Vector3(0, 0, 0.5)));
    CHECK((motion.at(9) * point).isApprox(Vector3(2, 0, 2)));
    CHECK((RigidMotion{}.at(3) * point).isApprox(point));
}
