// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/curvature.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::evaluation {

namespace {

constexpr int rows = 21, columns = 31;

geometry::TriangleMesh sheet() { return test::grid_cloth({.rows = rows, .columns = columns, .spacing = 0.01}).mesh; }

bool is_inner(long v) {
    return v % columns > 0 && v % columns < columns - 1 && v / columns > 0 && v / columns < rows - 1;
}

}  // namespace

TEST_CASE("A flat cloth has no curvature, however it is stretched") {
    const geometry::TriangleMesh mesh = sheet();
    CHECK(CurvatureMeter(mesh).measure(mesh.positions).maxCoeff() < 1e-9);
    CHECK(CurvatureMeter(mesh).measure(mesh.positions * Vector3(1.3, 0.8, 1).asDiagonal()).maxCoeff() < 1e-9);
}

TEST_CASE("A cloth around a cylinder has half of the curvature of its circle, on either side") {
    const geometry::TriangleMesh mesh = sheet();
    for (const double radius : {0.1, 0.5, -0.3}) {
        Positions rolled = mesh.positions;
        for (long v = 0; v < rolled.rows(); ++v) {
            const double angle = mesh.positions(v, 0) / radius;
            rolled.row(v) << radius * std::sin(angle), mesh.positions(v, 1), radius * (1 - std::cos(angle));
        }
        const VectorX curvatures = CurvatureMeter(mesh).measure(rolled);
        for (long v = 0; v < rolled.rows(); ++v)
            if (is_inner(v)) CHECK(curvatures(v) == test::near(0.5 / std::abs(radius)).epsilon(0.01));
    }
}

TEST_CASE("On a saddle the two curvatures cancel") {
    const geometry::TriangleMesh mesh = sheet();
    Positions saddle = mesh.positions;
    const double x0 = mesh.positions(rows / 2 * columns + columns / 2, 0), y0 = mesh.positions(rows / 2 * columns, 1);
    for (long v = 0; v < saddle.rows(); ++v)
        saddle(v, 2) = 0.5 * (std::pow(saddle(v, 0) - x0, 2) - std::pow(saddle(v, 1) - y0, 2)) / 0.5;
    CHECK(CurvatureMeter(mesh).measure(saddle)(rows / 2 * columns + columns / 2) < 1e-3);
}

}  // namespace tulle::evaluation
