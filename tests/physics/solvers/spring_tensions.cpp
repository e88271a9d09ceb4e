// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/spring_tensions.h"

#include "tests/support/cloths.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <limits>

using namespace tulle;
using namespace tulle::physics;

namespace {

const ProjectiveDynamicsSettings balanced{.iterations = 8, .scheme = AdmmScheme::Balanced};

// A stiff sheet that hangs by a corner.
struct Hanging {
    Hanging() : model(test::grid_cloth({})) {
        model.springs.stiffness *= 50;
        test::pin(model, {0});
    }
    ClothModel model;
    World world;
};

}  // namespace

TEST_CASE("Tensions are kept until the time that they were left at, and forgotten at any other") {
    SpringTensions tensions;
    CHECK(tensions.at(0, 3) == VectorX::Zero(3));
    tensions.at(0, 3) << 1, 2, 3;
    tensions.keep_until(0.5);
    CHECK(tensions.at(0.5, 3)(2) == 3);
    CHECK(tensions.at(0.25, 3) == VectorX::Zero(3));
    CHECK(tensions.at(0.5, 4) == VectorX::Zero(4));
}

TEST_CASE("Remembered tensions that are broken or of another cloth are refused") {
    SpringTensions tensions, other;
    CHECK(tensions.memory().empty());
    tensions.at(0, 3) << 1, 2, std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::byte> memory = tensions.memory();
    CHECK_THROWS_AS(other.set_memory(memory, 4), Error);
    CHECK_THROWS_AS(other.set_memory(memory, 3), Error);
    CHECK_THROWS_AS(other.set_memory(std::span(memory).first(5), 3), Error);
    other.set_memory({}, 3);
    CHECK(other.memory().empty());
}

TEST_CASE("A balanced admm that is stopped and gone on with gives the same bits") {
    const Hanging hanging;
    for (const bool reference : {false, true}) {
        ProjectiveDynamicsSettings settings = balanced;
        settings.reference = reference;
        ClothState whole = test::at_rest(hanging.model), parts = whole, forgetful = whole;
        make_solver(hanging.model, hanging.world, settings)->advance(whole, 0.02, 20);
        const auto first = make_solver(hanging.model, hanging.world, settings);
        first->advance(parts, 0.02, 12);
        forgetful = parts;
        const auto second = make_solver(hanging.model, hanging.world, settings);
        second->set_memory(first->memory());
        second->advance(parts, 0.02, 8);
        CHECK(parts.positions == whole.positions);
        make_solver(hanging.model, hanging.world, settings)->advance(forgetful, 0.02, 8);
        CHECK(forgetful.positions != whole.positions);
    }
}

TEST_CASE("admm by the papers' scheme remembers nothing") {
    const Hanging hanging;
    ClothState state = test::at_rest(hanging.model);
    const auto solver = make_solver(hanging.model, hanging.world, ProjectiveDynamicsSettings{});
    solver->advance(state, 0.02, 2);
    CHECK(solver->memory().empty());
}
