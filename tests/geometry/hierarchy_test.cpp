// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/hierarchy.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/geometry/miniature.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

using namespace tulle;
using namespace tulle::geometry;

namespace {

// Each triangle from its smallest corner on, so that only its winding counts.
std::set<std::array<int, 3>> as_set(const Triangles& triangles) {
    std::set<std::array<int, 3>> all;
    for (long t = 0; t < triangles.rows(); ++t) {
        std::array<int, 3> corners = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        all.insert(corners);
    }
    return all;
}

TriangleMesh fan() {  // of five triangles around vertex 0, in a ring that is open
    TriangleMesh mesh;
    mesh.positions.resize(7, 3);
    mesh.positions << 0, 0, 0, 1, 0, 0, 0.4, 0.9, 0.1, -0.7, 0.8, 0, -1, -0.3, 0.2, 0, -1, 0, 0.8, -0.6, 0;
    mesh.triangles.resize(5, 3);
    mesh.triangles << 0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6;
    return mesh;
}

}  // namespace

TEST_CASE("A subdivided grid has the vertices and triangles of the grid with every cell halved") {
    const GridSize coarse{4, 6}, fine{7, 11};
    const TriangleMesh coarse_mesh = make_grid_cloth(coarse, {.width = 3, .height = 2}).mesh;
    const TriangleMesh expected = make_grid_cloth(fine, {.width = 3, .height = 2}).mesh;
    const TriangleMesh refined = refine(coarse_mesh, subdivide_grid(coarse));
    CHECK((refined.positions - expected.positions).cwiseAbs().maxCoeff() < 1e-15 * 10);
    CHECK((refined.tex_coords - expected.tex_coords).cwiseAbs().maxCoeff() < 1e-15 * 10);
    CHECK(as_set(refined.triangles) == as_set(expected.triangles));
}

TEST_CASE("Midpoints are shared: a subdivided mesh has one new vertex for each edge and no crack") {
    const TriangleMesh mesh = fan();
    const Subdivision subdivision = subdivide(mesh);
    CHECK(subdivision.edges.rows() == 11);
    CHECK(subdivision.fine_count() == 7 + 11);
    const TriangleMesh fine = refine(mesh, subdivision);
    CHECK(fine.triangle_count() == 4 * 5);
    check_cloth_mesh(fine, "the fine fan");
    CHECK(mesh_edges(fine).edges.rows() == 2 * 11 + 3 * 5);
    CHECK(triangle_areas(fine.positions, fine.triangles).sum() ==
          test::near(triangle_areas(mesh.positions, mesh.triangles).sum()).epsilon(1e-12));
}

TEST_CASE("A triangle knows its edges and the vertices across them") {
    const Subdivision subdivision = subdivide(fan());
    CHECK(subdivision.across.row(1) == Eigen::RowVector3i(1, -1, 4));  // 0 2 3: over 02 is 1, over 30 is 4
    CHECK(subdivision.across.row(0) == Eigen::RowVector3i(-1, -1, 3));
    for (long t = 0; t < subdivision.triangles.rows(); ++t)
        for (int i = 0; i < 3; ++i) {
            const Eigen::RowVector2i edge = subdivision.edges.row(subdivision.edges_of_triangle(t, i));
            const std::set<int> ends = {subdivision.triangles(t, i), subdivision.triangles(t, (i + 1) % 3)};
            CHECK(std::set<int>{edge(0), edge(1)} == ends);
        }
}

TEST_CASE("A refined mesh is made coarse again, and numbers are interpolated as its positions are") {
    const TriangleMesh mesh = fan();
    const Subdivision subdivision = subdivide(mesh);
    const TriangleMesh fine = refine(mesh, subdivision);
    const TriangleMesh coarse = coarsen(fine);
    CHECK(coarse.positions == mesh.positions);
    CHECK(coarse.triangles == mesh.triangles);
    const Eigen::VectorXf numbers = mesh.positions.col(0).cast<float>();
    CHECK((interpolate_numbers(subdivision, numbers) - fine.positions.col(0).cast<float>()).norm() < 1e-6f);
}

TEST_CASE("The levels of a grid's hierarchy are its miniatures") {
    const GridSize finest{13, 17};
    const Hierarchy hierarchy = grid_hierarchy(finest, 2);
    CHECK(hierarchy.level_count() == 2);
    CHECK(hierarchy.fine_vertices[0] == make_miniature(finest, 4).fine_vertices());
    CHECK(hierarchy.fine_vertices[1] == make_miniature(finest, 2).fine_vertices());
    CHECK(static_cast<int>(hierarchy.fine_vertices[2].size()) == finest.vertex_count());
    CHECK(test::contains(test::error_of([] { grid_hierarchy({15, 17}, 2); }), "the nearest size that does is 17×17"));
}

TEST_CASE("The levels of a mesh's hierarchy are the mesh, refined again and again") {
    const TriangleMesh mesh = fan();
    const Hierarchy hierarchy = mesh_hierarchy(mesh, 3);
    TriangleMesh fine = mesh;
    for (const Subdivision& subdivision : hierarchy.subdivisions) fine = refine(fine, subdivision);
    CHECK(fine.triangle_count() == 64 * mesh.triangle_count());
    CHECK(sample(hierarchy.fine_vertices[0], fine.positions) == mesh.positions);
    CHECK(static_cast<int>(hierarchy.fine_vertices[3].size()) == fine.vertex_count());
}
