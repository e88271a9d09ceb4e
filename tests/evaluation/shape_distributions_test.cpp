// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/shape_distributions.h"

#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tulle::evaluation {

namespace {

ShapeDistributions shapes(double shift) {
    ShapeDistributions result;
    for (int i = 1; i <= 1000; ++i) {
        result.strain.add(1e-4 * i + shift);
        result.curvature.add(0.01 * i + shift);
        for (size_t axis = 0; axis < 3; ++axis)
            result.tip[axis].push_back((i * 37 % 1000) * 1e-3 + (axis == 0 ? shift : 0));
    }
    return result;
}

}  // namespace

TEST_CASE("Two identical ensembles are no distance apart, in whatever order their frames came") {
    ShapeDistributions turned = shapes(0);
    for (Samples& axis : turned.tip) std::reverse(axis.begin(), axis.end());
    const ShapeDistances distances = distances_between(shapes(0), turned);
    CHECK(distances.strain == 0);
    CHECK(distances.curvature == 0);
    CHECK(distances.tip == 0);
}

TEST_CASE("Distributions moved by a shift are that far apart, the tip along one axis of three by a third of it") {
    const ShapeDistances distances = distances_between(shapes(0), shapes(0.5));
    CHECK(distances.strain == test::near(0.5).epsilon(0.006));
    CHECK(distances.curvature == test::near(0.5).epsilon(0.006));
    CHECK(distances.tip == test::near(0.5 / 3));
}

TEST_CASE("Sample sets of different sizes are compared as distributions") {
    CHECK(distance_between(Samples{1, 2}, Samples{1, 1, 2, 2}) == 0);
    CHECK(distance_between(Samples{0, 1}, Samples{0}) == test::near(0.5));
    CHECK(distance_between(Samples{0, 0, 3}, Samples{1, 1}) == test::near((1 + 1 + 2) / 3.0));
    CHECK(distance_between(Samples{5}, Samples{-2}) == test::near(7));
}

TEST_CASE("An ensemble is the sum of its runs") {
    ShapeDistributions both = shapes(0);
    both.add(shapes(2));
    CHECK(both.tip[1].size() == 2000);
    CHECK(both.strain.count() == 2000);
    CHECK(distances_between(both, shapes(0)).tip == test::near(1.0 / 3));
}

}  // namespace tulle::evaluation
