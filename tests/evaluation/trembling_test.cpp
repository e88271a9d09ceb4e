// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/trembling.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace tulle::evaluation {

namespace {

// All vertices together along x.
Trembling of_motion(const std::function<double(int frame)>& shift, int frames = 41) {
    const Positions rest = test::grid_cloth().mesh.positions;
    Trembling trembling;
    for (int frame = 0; frame < frames; ++frame) {
        Positions positions = rest;
        positions.col(0).array() += shift(frame);
        trembling.add(positions);
        CHECK(trembling.root_mean_square().has_value() == (frame >= 4));
    }
    return trembling;
}

}  // namespace

TEST_CASE("An even motion and an even acceleration do not tremble") {
    CHECK(*of_motion([](int frame) { return 0.25 * frame; }).root_mean_square() < 1e-13);
    CHECK(*of_motion([](int frame) { return 0.01 * frame * frame; }).root_mean_square() < 1e-13);
}

TEST_CASE("The high pass keeps all of a trembling that takes two frames and half of one that takes four") {
    // ±a from frame to frame is accelerated by 4a; a, 0, −a, 0 by 2a, 0, −2a, 0, whose root mean square is √2 a.
    const double two = *of_motion([](int frame) { return frame % 2 == 0 ? 0.01 : -0.01; }).root_mean_square();
    CHECK(two == test::near(4 * 0.01));
    const double four =
        *of_motion([](int frame) { return 0.01 * std::cos(std::numbers::pi / 2 * frame); }, 44).root_mean_square();
    CHECK(four == test::near(std::sqrt(2.0) * 0.01 / 2));
}

TEST_CASE("White noise adds to the trembling what the squared weights of the filter add up to") {
    // The fourth difference over four has the weights 1, 4, 6, 4 and 1 over 4: noise of variance σ² along each axis
    // comes out with (1 + 16 + 36 + 16 + 1)/16 · 3σ² a particle.
    const Positions rest = test::grid_cloth({.rows = 41, .columns = 61}).mesh.positions;
    constexpr double amplitude = 1e-3, variance = amplitude * amplitude / 3;
    Trembling calm, noisy;
    for (int frame = 0; frame < 40; ++frame) {
        Positions swinging = rest;
        swinging.col(2).array() += 0.02 * std::sin(0.8 * frame);
        calm.add(swinging);
        noisy.add(swinging +
                  test::random_rows(static_cast<int>(rest.rows()), amplitude, static_cast<std::uint64_t>(frame)));
    }
    const double before = *calm.root_mean_square();
    const double expected = std::sqrt(before * before + 70.0 / 16 * 3 * variance);
    CHECK(expected / before > 1.5);
    CHECK(*noisy.root_mean_square() / before == test::near(expected / before).epsilon(0.01));
}

}  // namespace tulle::evaluation
