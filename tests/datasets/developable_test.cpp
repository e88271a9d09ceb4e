// SPDX-License-Identifier: Apache-2.0
#include "tulle/datasets/developable.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tulle::datasets {

namespace {

using Bend = std::function<Positions(const Rows<double, 2>&)>;

// Largest |distance / rest distance − 1| between neighbours of a grid of so many cells of that size, and their
// diagonals.
double largest_strain(const Bend& bend, int cells, double cell) {
    const geometry::GridSize size{cells + 1, cells + 1};
    const Rows<double, 2> flat = cell * grid_coordinates(size);
    const Positions bent = bend(flat);
    double largest = 0;
    for (int row = 0; row + 1 < size.rows; ++row)
        for (int column = 0; column + 1 < size.columns; ++column)
            for (const int other :
                 {size.index(row, column + 1), size.index(row + 1, column), size.index(row + 1, column + 1)}) {
                const int here = size.index(row, column);
                const double rest = (flat.row(other) - flat.row(here)).norm();
                largest = std::max(largest, std::abs((bent.row(other) - bent.row(here)).norm() / rest - 1));
            }
    return largest;
}

// Chords are shorter than arcs, by the square of their length.
void check_isometric(const Bend& bend) {
    const double coarse = largest_strain(bend, 20, 0.4), fine = largest_strain(bend, 80, 0.1);
    CHECK(coarse > 1e-5);
    CHECK(coarse / fine == doctest::Approx(16).epsilon(0.1));
}

}  // namespace

TEST_CASE("Bent cylinders, cones and sine sheets are not stretched") {
    const Waves waves = {{0.5, 12, 0.3}, {0.3, 31, 2}};
    check_isometric([&](const auto& flat) { return bent_cylinder(flat, 0.7, waves); });
    check_isometric([&](const auto& flat) { return bent_cone(flat, 2.1, 25, {{4, 0.5, 0.3}}); });
    check_isometric([&](const auto& flat) { return sine_sheet(flat, 0.4, 9, 0.7); });
}

TEST_CASE("A sine sheet is the sine wave it is asked for") {
    const geometry::GridSize size{41, 41};
    const Positions sheet = sine_sheet(grid_coordinates(size), 0, 10, 0.5);
    constexpr double k = 2 * 3.14159265358979323846 / 10;
    for (long v = 0; v < sheet.rows(); ++v)
        CHECK(sheet(v, 1) == doctest::Approx(0.5 / k * std::sin(k * sheet(v, 0))).epsilon(1e-6));
}

TEST_CASE("Developable sequences follow from their seed") {
    const auto sequences = developable_sequences(3, 5), again = developable_sequences(3, 5);
    const auto other = developable_sequences(3, 6);
    CHECK(sequences[1].positions == again[1].positions);
    CHECK(sequences[1].positions != other[1].positions);
    CHECK(sequences[0].positions != sequences[1].positions);
    for (const Sequence& sequence : sequences) {
        CHECK(sequence.frame_count() == 60);
        CHECK(std::ranges::all_of(sequence.positions, [](float x) { return std::abs(x) < 40; }));
    }
}

TEST_CASE("Irregular developable sequences bend a mesh without stretching it, another mesh for each") {
    const auto sequences = irregular_developable_sequences(20, 1), again = irregular_developable_sequences(2, 1);
    CHECK(sequences[1].positions == again[1].positions);
    CHECK(sequences[0].mesh.positions != sequences[1].mesh.positions);
    for (const Sequence& sequence : sequences) {
        const geometry::TriangleMesh& mesh = sequence.mesh;
        CHECK(sequence.grid == geometry::GridSize{0, 0});
        CHECK(sequence.frame_count() == 60);
        geometry::check_cloth_mesh(mesh, sequence.name);
        CHECK(geometry::triangle_areas(mesh.positions, mesh.triangles).minCoeff() > 0.01);  // of half a square metre
        CHECK(geometry::triangle_areas(mesh.positions, mesh.triangles).sum() == doctest::Approx(32 * 32));
        for (const long frame : {0L, 30L}) {
            const Positions bent =
                Eigen::Map<const Rows<float, 3>>(sequence.frame(frame), mesh.vertex_count(), 3).cast<double>();
            const double area = geometry::triangle_areas(bent, mesh.triangles).sum();
            CHECK(area < 1.0001 * 32 * 32);  // chords are shorter than arcs
            CHECK(area > 0.9 * 32 * 32);
        }
    }
}

}  // namespace tulle::datasets
