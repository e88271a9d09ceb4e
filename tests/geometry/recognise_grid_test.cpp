// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/recognise_grid.h"

#include "tulle/core/random.h"
#include "tulle/geometry/finer_faces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

using namespace tulle;
using namespace tulle::geometry;

namespace {

struct Drawn {
    Faces faces;
    Positions positions;
};

// Vertices and faces of a grid in any order, and every face from any corner on.
Drawn shuffled(const GridSize& size, bool as_triangles) {
    const GridCloth cloth = make_grid_cloth(size, {.width = 3, .height = 2});
    Random random(7);
    const auto shuffle = [&](auto& list) {
        for (size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[static_cast<size_t>(random.uniform(0, static_cast<double>(i)))]);
    };
    std::vector<int> number(static_cast<size_t>(size.vertex_count()));
    std::iota(number.begin(), number.end(), 0);
    shuffle(number);
    Drawn drawn{.faces = {.has_tex_coords = true}, .positions = Positions(size.vertex_count(), 3)};
    for (int v = 0; v < size.vertex_count(); ++v)
        drawn.positions.row(number[static_cast<size_t>(v)]) = cloth.mesh.positions.row(v);
    const Faces all = as_triangles ? faces_of_triangles(cloth.mesh.triangles, cloth.mesh.tex_coords)
                                   : faces_of_grid(size, cloth.mesh.tex_coords);
    std::vector<std::vector<Corner>> faces;
    for_each_face(all, [&](std::span<const Corner> face) { faces.emplace_back(face.begin(), face.end()); });
    shuffle(faces);
    for (std::vector<Corner>& face : faces) {
        for (Corner& corner : face) corner.vertex = number[static_cast<size_t>(corner.vertex)];
        std::rotate(face.begin(), face.begin() + static_cast<long>(random.uniform(0, 2.99)), face.end());
        drawn.faces.add(face);
    }
    return drawn;
}

Vector3 front(const Positions& positions, std::span<const Corner> face) {
    const Vector3 a = positions.row(face[0].vertex), b = positions.row(face[1].vertex),
                  c = positions.row(face[2].vertex);
    return (b - a).cross(c - a).normalized();
}

}  // namespace

TEST_CASE("A grid of quads or triangles is recognised in any order, with its front and its texture") {
    for (const bool as_triangles : {false, true})
        for (const GridSize size : {GridSize{2, 2}, {2, 5}, {5, 2}, {7, 4}, {9, 9}}) {
            const Drawn drawn = shuffled(size, as_triangles);
            const auto grid = recognise_grid(drawn.faces, drawn.positions);
            REQUIRE(grid.has_value());
            CHECK(std::set<int>{grid->size.rows, grid->size.columns} == std::set<int>{size.rows, size.columns});
            CHECK(std::set<int>(grid->vertices.begin(), grid->vertices.end()).size() == grid->vertices.size());
            const auto place = [&](int r, int c) -> Vector3 {
                return drawn.positions.row(grid->vertices[static_cast<size_t>(grid->size.index(r, c))]);
            };
            for (int r = 0; r + 1 < grid->size.rows; ++r)  // every cell is a parallelogram of the same sides
                for (int c = 0; c + 1 < grid->size.columns; ++c) {
                    CHECK((place(r + 1, c) - place(r, c) - (place(1, 0) - place(0, 0))).norm() < 1e-12);
                    CHECK((place(r, c + 1) - place(r, c) - (place(0, 1) - place(0, 0))).norm() < 1e-12);
                }
            for_each_face(grid->cells, [&](std::span<const Corner> cell) {
                CHECK(front(drawn.positions, cell).isApprox(front(drawn.positions, drawn.faces.corners)));
                for (const Corner& corner : cell) {
                    CHECK(std::abs(corner.uv.x() - drawn.positions(corner.vertex, 0) / 3) < 1e-12);
                    CHECK(std::abs(corner.uv.y() - 1 - drawn.positions(corner.vertex, 2) / 2) < 1e-12);
                }
            });
        }
}

TEST_CASE("What is no grid is not taken for one") {
    const Drawn grid = shuffled({4, 5}, false);
    Faces missing = grid.faces;  // a face less
    missing.sizes.pop_back();
    missing.corners.resize(missing.corners.size() - 4);
    CHECK_FALSE(recognise_grid(missing, grid.positions));
    Faces turned = grid.faces;  // one seen from behind
    std::reverse(turned.corners.begin(), turned.corners.begin() + 4);
    CHECK_FALSE(recognise_grid(turned, grid.positions));
    Positions loose(grid.positions.rows() + 1, 3);
    loose << grid.positions, 0, 0, 0;
    CHECK_FALSE(recognise_grid(grid.faces, loose));
    Faces twice = grid.faces;
    twice.add(std::span(grid.faces.corners).first(4));
    CHECK_FALSE(recognise_grid(twice, grid.positions));
    CHECK_FALSE(recognise_grid({}, grid.positions));
    Faces tube = faces_of_grid({3, 7}, {});  // its last column is its first
    for (Corner& corner : tube.corners) corner.vertex = corner.vertex / 7 * 6 + corner.vertex % 7 % 6;
    CHECK_FALSE(recognise_grid(tube, Positions::Zero(18, 3)));
    Faces cross = faces_of_grid({3, 3}, {});  // an arm more at one side
    cross.add(std::array<Corner, 4>{Corner{2}, {5}, {9}, {10}});
    CHECK_FALSE(recognise_grid(cross, Positions::Zero(11, 3)));
}

TEST_CASE("Finer cells have the texture of their coarse cell and meet at its borders") {
    Drawn drawn = shuffled({3, 4}, false);
    for (size_t k = 0; k < 4; ++k) drawn.faces.corners[k].uv += Eigen::Vector2d(5, 0);  // a seam around one face
    const auto grid = recognise_grid(drawn.faces, drawn.positions);
    REQUIRE(grid.has_value());
    const GridSize fine{(grid->size.rows - 1) * 3 + 1, (grid->size.columns - 1) * 3 + 1};
    std::vector<int> numbers(static_cast<size_t>(fine.vertex_count()));
    std::iota(numbers.begin(), numbers.end(), 0);
    const Faces finer = finer_cells(*grid, 3, numbers);
    CHECK(finer.sizes.size() == 9 * 6);
    int apart = 0;
    for_each_face(finer, [&](std::span<const Corner> face) {
        const double width = (face[1].uv - face[0].uv).norm() * (face[2].uv - face[1].uv).norm();
        CHECK(std::abs(width - 1.0 / 54) < 1e-12);
        apart += face[0].uv.x() > 2 ? 1 : 0;
    });
    CHECK(apart == 9);
    CHECK(fan_triangles(finer).rows() == 2 * 9 * 6);
}

TEST_CASE("Subdivided faces are the subdivided triangles, quads stay quads and seams stay") {
    // A quad, a triangle and a pentagon in a row.
    Faces faces{.has_tex_coords = true};
    faces.add(std::array<Corner, 4>{Corner{0, {0, 0}}, {1, {1, 0}}, {2, {1, 1}}, {3, {0, 1}}});
    faces.add(std::array<Corner, 3>{Corner{1, {9, 0}}, {4, {8, 0}}, {2, {9, 1}}});
    faces.add(std::array<Corner, 5>{Corner{4}, {5}, {6}, {7}, {2}});
    TriangleMesh mesh;
    mesh.positions.resize(8, 3);
    mesh.positions << 0, 0, 0, 1, 0, 0, 1.4, 1, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 3.5, 1, 0, 3, 2, 0;
    Faces cut = ready_to_cut(faces, mesh.positions);
    CHECK(cut.sizes == std::vector<int>{4, 3, 3, 3, 3});
    CHECK(cut.corners[0].vertex == 1);  // its shorter diagonal is 1–3
    mesh.triangles = fan_triangles(cut);
    for (int level = 0; level < 2; ++level) {
        const Subdivision subdivision = subdivide(mesh);
        cut = finer_faces(cut, subdivision);
        mesh = refine(mesh, subdivision);
        std::multiset<std::array<int, 3>> from_faces, from_mesh;
        const auto keep = [](const Triangles& triangles, auto& into) {
            for (const auto& t : triangles.rowwise()) {
                std::array<int, 3> sorted{t(0), t(1), t(2)};
                std::rotate(sorted.begin(), std::min_element(sorted.begin(), sorted.end()), sorted.end());
                into.insert(sorted);
            }
        };
        keep(fan_triangles(cut), from_faces);
        keep(mesh.triangles, from_mesh);
        CHECK(from_faces == from_mesh);
    }
    CHECK(std::count(cut.sizes.begin(), cut.sizes.end(), 4) == 16);
    for_each_face(cut, [&](std::span<const Corner> face) {
        for (const Corner& corner : face)
            if (face.size() == 4) CHECK(corner.uv.x() <= 1);
    });
}
