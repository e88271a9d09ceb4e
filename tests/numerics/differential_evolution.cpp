// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/differential_evolution.h"

#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tulle;
using namespace tulle::numerics;

namespace {

const VectorX low = VectorX::Constant(3, -4), high = VectorX::Constant(3, 6);

// Rastrigin's function, moved: hundreds of valleys, the deepest of depth 0 at (1, 2, 3).
double many_valleys(const VectorX& x) {
    const VectorX d = x - Vector3(1, 2, 3);
    double sum = 0;
    for (const double value : d) sum += value * value - 3 * std::cos(2 * std::numbers::pi * value) + 3;
    return sum;
}

}  // namespace

TEST_CASE("Differential evolution finds the deepest of many valleys, from any seed") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const EvolutionResult result = minimise_evolution(many_valleys, low, high, {.generations = 300, .seed = seed});
        CHECK((result.x - Vector3(1, 2, 3)).norm() < 1e-6);
        CHECK(result.value == many_valleys(result.x));
        CHECK(result.evaluations == 64 * 301);
    }
}

TEST_CASE("Differential evolution stays within its box") {
    const auto outside = [](const VectorX& x) {
        CHECK((x.array() >= low.array()).all());
        CHECK((x.array() <= high.array()).all());
        return x.sum();
    };
    const EvolutionResult result = minimise_evolution(outside, low, high, {.population = 20, .generations = 60});
    CHECK((result.x - low).norm() < 1e-9);
}

TEST_CASE("Differential evolution gives the same bits on any number of threads, and others for another seed") {
    const auto run = [](int threads, std::uint64_t seed) {
        const ThreadCountScope scope(threads);
        return minimise_evolution(many_valleys, low, high, {.population = 600, .generations = 3, .seed = seed}).x;
    };
    CHECK(run(1, 1) == run(3, 1));
    CHECK(run(1, 1) != run(1, 2));
}
