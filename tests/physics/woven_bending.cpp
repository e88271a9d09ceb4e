// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/woven_bending.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/physics/energies/bending.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <cmath>

using namespace tulle;
using namespace tulle::physics;

namespace {

const geometry::GridCloth cloth = geometry::make_grid_cloth(
    {41, 61}, {.along_columns = Vector3::UnitX(), .along_rows = -Vector3::UnitY(), .width = 0.6, .height = 0.3});
constexpr double rigidity = 1e-5, radius = 0.5, area = 0.6 * 0.3;

// Rolled to a cylinder along a direction of the plane.
double rolled_energy(const Hinges& hinges, double direction) {
    const Eigen::Rotation2Dd turn(direction);
    Positions rolled = cloth.mesh.positions;
    for (long v = 0; v < rolled.rows(); ++v) {
        Eigen::Vector2d place = turn.inverse() * Eigen::Vector2d(rolled.row(v).head<2>());
        const double angle = place.x() / radius;
        place.x() = radius * std::sin(angle);
        rolled.row(v) << (turn * place).transpose(), radius * (1 - std::cos(angle));
    }
    return bending_energy(hinges, rolled);
}

}  // namespace

TEST_CASE("A woven cloth rolled along, across or askew stores half its rigidity times the squared curvature") {
    const Hinges hinges = woven_hinges(cloth, rigidity);
    for (const double direction : {0.0, 0.3, 0.785, 1.571})
        CHECK(rolled_energy(hinges, direction) == test::near(0.5 * rigidity / (radius * radius) * area).epsilon(0.05));
}

TEST_CASE("A woven cloth that only moves and turns stores nothing, and one without rigidity has no hinges") {
    const Hinges hinges = woven_hinges(cloth, rigidity);
    const Eigen::AngleAxisd turn(0.7, Vector3(1, 2, 3).normalized());
    Positions moved = cloth.mesh.positions * turn.toRotationMatrix().transpose();
    moved.rowwise() += Eigen::RowVector3d(1, -2, 3);
    CHECK(bending_energy(hinges, moved) < 1e-16);
    CHECK(woven_hinges(cloth, 0).count() == 0);
}

TEST_CASE("A saddle costs as much as the two cylinders that it is made of") {
    const Hinges hinges = woven_hinges(cloth, rigidity);
    Positions saddle = cloth.mesh.positions;
    saddle.col(2) = 0.1 * (saddle.col(0).cwiseAbs2() - saddle.col(1).cwiseAbs2());
    CHECK(bending_energy(hinges, saddle) == test::near(0.5 * rigidity * 2 * 0.2 * 0.2 * area).epsilon(0.05));
}
