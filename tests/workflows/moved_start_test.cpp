// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/moved_start.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

namespace tulle::workflows {

namespace {

physics::ClothModel pinned_cloth() {
    physics::ClothModel cloth = test::grid_cloth({.rows = 25, .columns = 37, .spacing = 0.025});
    std::vector<int> column;
    for (int row = 0; row < 25; ++row) column.push_back(37 * row);
    test::pin(cloth, column);
    return cloth;
}

}  // namespace

TEST_CASE("A start is moved by the given size at its largest, along the normals, and pins stay") {
    const physics::ClothModel cloth = pinned_cloth();
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Positions moves = moved_start(cloth, 1e-3, seed) - cloth.start_positions;
        CHECK(moves.rowwise().norm().maxCoeff() == test::near(1e-3));
        CHECK(moves.leftCols(2).cwiseAbs().maxCoeff() < 1e-15);
        for (const int pin : cloth.pins.front().vertices) CHECK(moves.row(pin).norm() == 0);
    }
}

TEST_CASE("A moved start is hardly stretched") {
    const physics::ClothModel cloth = pinned_cloth();
    const Positions start = moved_start(cloth, 1e-3, 5);
    for (long e = 0; e < cloth.springs.count(); ++e) {
        const double length = (start.row(cloth.springs.edges(e, 0)) - start.row(cloth.springs.edges(e, 1))).norm();
        CHECK(length / cloth.springs.rest_lengths(e) < 1 + 2e-4);
    }
}

TEST_CASE("A seed always gives the same start, and another seed another one") {
    const physics::ClothModel cloth = pinned_cloth();
    CHECK(moved_start(cloth, 1e-3, 7) == moved_start(cloth, 1e-3, 7));
    CHECK((moved_start(cloth, 1e-3, 7) - moved_start(cloth, 1e-3, 8)).norm() > 1e-3);
}

}  // namespace tulle::workflows
