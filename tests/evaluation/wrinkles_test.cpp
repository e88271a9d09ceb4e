// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/wrinkles.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tulle::evaluation {

namespace {

constexpr int rows = 25, columns = 37;

physics::ClothModel cloth() { return test::grid_cloth({.rows = rows, .columns = columns, .spacing = 0.025}); }

WrinkleMeter meter(int factor) {
    return {cloth().mesh, without_short_waves(geometry::make_miniature({rows, columns}, factor))};
}

// A wave across the columns with so many halves of its length over the width, and the given height [m].
Positions wave(int halves, double height) {
    Positions positions = cloth().mesh.positions;
    for (int v = 0; v < positions.rows(); ++v)
        positions(v, 2) = height * std::sin(std::numbers::pi * halves * (v % columns) / (columns - 1));
    return positions;
}

}  // namespace

TEST_CASE("A wave shorter than two coarse cells is a wrinkle with half of its height squared, a longer one is none") {
    for (const int factor : {2, 3, 4, 6, 12}) {
        CAPTURE(factor);
        const int limit = (columns - 1) / factor;  // a wave whose half is a coarse cell
        CHECK(meter(factor).energy(wave(limit - 1, 0.01)) < 1e-12);
        CHECK(meter(factor).energy(wave(limit, 0.01)) == test::near(0.5 * 0.01 * 0.01).epsilon(1e-3));
        CHECK(meter(factor).energy(wave(limit + 5, 0.01)) == test::near(0.5 * 0.01 * 0.01).epsilon(1e-3));
    }
}

TEST_CASE("A wrinkle of half the height has a quarter of the energy, whatever the cloth does besides") {
    const Positions bend = wave(3, 0.05), flat = cloth().mesh.positions;
    const auto wrinkled = [&](double height) -> Positions { return bend + wave(25, height) - flat; };
    CHECK(meter(2).energy(wrinkled(0.001)) / meter(2).energy(wrinkled(0.002)) == test::near(0.25).epsilon(0.02));
}

TEST_CASE("Wrinkles are the same wherever the cloth is and however it is turned and stretched evenly") {
    const Positions wrinkled = wave(25, 0.003);
    const double energy = meter(2).energy(wrinkled);
    const Matrix3 turn(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
    CHECK(meter(2).energy((wrinkled * turn.transpose()).rowwise() + Eigen::RowVector3d(1, 2, 3)) == test::near(energy));
    CHECK(meter(2).energy(wrinkled * Vector3(1.2, 0.9, 1).asDiagonal()) == test::near(energy));
}

TEST_CASE("A tilted plane and a plane that only shifts within itself have no wrinkles") {
    Positions moved = cloth().mesh.positions;
    for (long v = 0; v < moved.rows(); ++v) moved(v, 0) += 0.002 * std::sin(300 * moved(v, 0));
    moved.col(2) = 0.4 * moved.col(0) + 0.1 * moved.col(1);
    CHECK(meter(2).energy(moved) < 1e-12);
}

TEST_CASE("A mesh made coarse and filled in again along its edges has no wrinkles, and a lifted midpoint is one") {
    const geometry::TriangleMesh coarse = test::grid_cloth({.rows = 5, .columns = 5, .spacing = 0.1}).mesh;
    const geometry::Hierarchy hierarchy = geometry::mesh_hierarchy(coarse, 2);
    geometry::TriangleMesh fine = coarse;
    for (const geometry::Subdivision& level : hierarchy.subdivisions) fine = geometry::refine(fine, level);
    const WrinkleMeter meter(fine, without_fine_levels(hierarchy));
    Positions positions = fine.positions;
    CHECK(meter.energy(positions) < 1e-20);
    const int middle = fine.vertex_count() - 1;
    positions(middle, 2) += 0.01;
    const VectorX areas = geometry::vertex_areas(fine.positions, fine.triangles);
    CHECK(meter.energy(positions) == test::near(1e-4 * areas(middle) / areas.sum()));
}

}  // namespace tulle::evaluation
