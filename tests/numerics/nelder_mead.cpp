// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/nelder_mead.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::numerics;

namespace {

// Rosenbrock's valley, bent and narrow; its minimum is 0 at (1, 1).
double valley(const VectorX& x) { return std::pow(1 - x(0), 2) + 100 * std::pow(x(1) - x(0) * x(0), 2); }

}  // namespace

TEST_CASE("Nelder and Mead's simplex finds the end of a bent valley") {
    const NelderMeadResult result =
        minimise_nelder_mead(valley, Eigen::Vector2d(-1.2, 1), {.max_evaluations = 1000, .tolerance = 1e-7});
    CHECK((result.x - Eigen::Vector2d(1, 1)).norm() < 1e-4);
    CHECK(result.value < 1e-8);
    CHECK(result.evaluations < 400);
}

TEST_CASE("The simplex finds a minimum of three variables that lies off its first corner") {
    const Vector3 minimum(0.4, -0.7, 0.2);
    const auto bowl = [&](const VectorX& x) { return (Vector3(1, 3, 10).asDiagonal() * (x - minimum)).norm(); };
    const NelderMeadResult result =
        minimise_nelder_mead(bowl, VectorX::Zero(3), {.max_evaluations = 500, .tolerance = 1e-6});
    CHECK((result.x - minimum).norm() < 1e-4);
}

TEST_CASE("The simplex never ends worse than it starts and keeps to its evaluations, but for one round") {
    for (const int most : {1, 5, 10, 37}) {
        int calls = 0;
        const NelderMeadResult result = minimise_nelder_mead(
            [&](const VectorX& x) {
                ++calls;
                return valley(x);
            },
            Eigen::Vector2d(0.9, 0.81), {.max_evaluations = most});
        CHECK(result.value <= valley(Eigen::Vector2d(0.9, 0.81)));
        CHECK(result.evaluations == calls);
        CHECK(calls <= most + 4);
    }
}
