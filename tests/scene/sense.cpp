// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/simulation.h"

#include "tests/support/error_of.h"

#include <doctest/doctest.h>

#include <limits>

using namespace tulle;
using tulle::test::contains;

TEST_CASE("A state too far away, too fast or not finite has left all sense, and the vertex is named") {
    const physics::ClothState sound{Positions::Constant(4, 3, 1e5), Velocities::Constant(4, 3, -1e8), 0.25};
    CHECK_NOTHROW(scene::require_sense(sound));
    const auto sentence = [&](const auto& change) -> std::string {
        physics::ClothState state = sound;
        change(state);
        try {
            scene::require_sense(state);
        } catch (const physics::Divergence& divergence) {
            CHECK(divergence.vertex == 2);
            return divergence.what();
        }
        return "";
    };
    CHECK(contains(sentence([](auto& s) { s.positions(2, 1) = -3e7; }), "vertex 2 is 3e+07 m away at 0.25 s"));
    CHECK(contains(sentence([](auto& s) { s.velocities(2, 0) = 1e12; }), "vertex 2 moves at 1e+12 m/s at 0.25 s"));
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        CHECK(contains(sentence([&](auto& s) { s.positions(2, 2) = value; }), "vertex 2 is"));
        CHECK(contains(sentence([&](auto& s) { s.velocities(2, 2) = value; }), "vertex 2 moves"));
    }
}
