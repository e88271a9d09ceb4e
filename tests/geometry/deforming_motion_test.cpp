// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/deforming_motion.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::geometry;

TEST_CASE("Vertices go straight from key to key and are held before the first and after the last") {
    const auto point = [](double x, double y) { return Positions((Positions(1, 3) << x, y, 0).finished()); };
    const DeformingMotion motion{.times = {1, 2, 4}, .positions = {point(0, 0), point(1, 0), point(1, 8)}};
    CHECK(motion.at(-3) == point(0, 0));
    CHECK(motion.at(1) == point(0, 0));
    CHECK(motion.at(1.5) == point(0.5, 0));
    CHECK(motion.at(2) == point(1, 0));
    CHECK(motion.at(2.5) == point(1, 2));
    CHECK(motion.at(4) == point(1, 8));
    CHECK(motion.at(99) == point(1, 8));
    const DeformingMotion still{.times = {0}, .positions = {point(3, 4)}};
    for (const double time : {-1.0, 0.0, 1.0}) CHECK(still.at(time) == point(3, 4));
}
