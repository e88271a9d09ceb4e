// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/line_search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tulle::numerics;

TEST_CASE("A line search takes the full step to the minimum of a parabola") {
    CHECK(backtrack([](double t) { return (t - 1) * (t - 1); }, -2) == 1.0);
}

TEST_CASE("A line search takes the first halving that meets Armijo's condition") {
    for (const double steepness : {1.0, 3.0, 17.0, 1e4, 1e9}) {
        const auto value_at = [&](double t) { return 2 + std::pow(steepness * t - 1, 2); };
        const double slope = -2 * steepness;
        const auto enough = [&](double t) { return value_at(t) <= value_at(0) + 1e-4 * t * slope; };
        const std::optional<double> length = backtrack(value_at, slope);
        REQUIRE(length);
        CHECK(enough(*length));
        if (*length < 1) CHECK(!enough(2 * *length));
        CHECK(std::log2(*length) == std::round(std::log2(*length)));
    }
}

TEST_CASE("A line search steps back from where the value is not a number") {
    const auto barrier = [](double t) { return -std::log(1 - 3 * t) - 5 * t; };
    const std::optional<double> length = backtrack(barrier, -2);
    CHECK(length == 0.125);
}

TEST_CASE("A line search finds nothing where the value only grows") {
    CHECK(!backtrack([](double t) { return t; }, -1));
    CHECK(!backtrack([](double) { return std::numeric_limits<double>::quiet_NaN(); }, -1));
}

TEST_CASE("A line search takes the full step where the decrease drowns in rounding errors") {
    CHECK(backtrack([](double t) { return 1e6 + 1e-10 * t; }, -1e-9) == 1.0);
}
