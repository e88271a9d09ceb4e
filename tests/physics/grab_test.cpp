// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/forces/grab.h"
#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/physics/world.h"

#include <doctest/doctest.h>

#include <memory>

using namespace tulle;
using namespace tulle::physics;

namespace {

constexpr double step = 0.04;  // [s]

Grab grab_at(const Vector3& point, const Vector3& target) {
    return {.point = point, .target = target, .radius = 0.12, .reach = 100, .reaction_time = step};
}

ClothState run(const ClothModel& model, const World& world, const SolverSettings& settings, int steps) {
    const bool is_explicit = std::holds_alternative<MassSpringSettings>(settings);
    const int small = is_explicit ? static_cast<int>(std::ceil(step / stable_explicit_step(model))) : 1;
    const auto solver = make_solver(model, world, settings);
    ClothState state = test::at_rest(model);
    for (int i = 0; i < steps; ++i) static_cast<void>(solver->advance(state, step / small, small));
    return state;
}

}  // namespace

TEST_CASE("A pull is minus the gradient of its spring's energy") {
    const ClothModel model = test::grid_cloth();
    const auto interaction = std::make_shared<Interaction>();
    interaction->grabs = {grab_at({0.3, 0.2, 0}, {0.5, 0.1, 0.4})};
    const HeldPatch patch = held_patch(model, {0.3, 0.2, 0}, 0.12);
    ClothState state = test::at_rest(model);
    state.positions += test::random_rows(model.vertex_count(), 0.01, 3);
    const auto energy = [&](const Positions& x) {
        return 0.5 * patch.mass / (step * step) * (Vector3(0.5, 0.1, 0.4) - patch.mean(x)).squaredNorm();
    };
    Forces forces = Forces::Zero(model.vertex_count(), 3);
    Grabs(model, *interaction).add_to(forces, state);
    for (const int v : {patch.vertices.front(), patch.vertices[patch.vertices.size() / 2], 0})
        for (int axis = 0; axis < 3; ++axis) {
            constexpr double h = 1e-6;
            Positions right = state.positions, left = state.positions;
            right(v, axis) += h;
            left(v, axis) -= h;
            CHECK(forces(v, axis) == doctest::Approx(-(energy(right) - energy(left)) / (2 * h)).epsilon(1e-6));
        }
}

TEST_CASE("The damper of a hand takes energy away from what moves") {
    const Grab grab = grab_at({0, 0, 0}, {0, 0, 0});
    CHECK(grab_pull(grab, 0.01, {0, 0, 0}, {1, 2, 3}).dot(Vector3(1, 2, 3)) < 0);
}

TEST_CASE("A patch holds free vertices near the point, and at least the nearest") {
    ClothModel model = test::grid_cloth();
    test::pin(model, {0, 1});
    const HeldPatch corner = held_patch(model, model.start_positions.row(0), 0.12);
    for (const int v : corner.vertices) {
        CHECK(v > 1);
        CHECK((model.start_positions.row(v) - model.start_positions.row(0)).norm() < 0.12);
    }
    CHECK(corner.weights.sum() == test::near(1.0));
    CHECK(held_patch(model, {0.31, 0.21, 0}, 1e-6).vertices.size() == 1);
    CHECK(held_patch(model, {0.31, 0.21, 0}, 1e-6).mass == test::near(2e-3));
}

TEST_CASE("A free patch that is pulled arrives at the target in one implicit step") {
    const Grab grab = grab_at({0, 0, 0}, {1, 0, 0});
    const double mass = 0.02;
    const Vector3 start(0.2, 0.1, 0), velocity(0.5, -1, 2);
    const Vector3 pull = grab_pull(grab, mass, start, velocity);
    CHECK((start + step * velocity + step * step / mass * pull - Vector3(1, 0, 0)).norm() < 1e-12);
}

TEST_CASE("Every solver follows a hand, and lets go") {
    ClothModel model = test::grid_cloth({.damping = 0.02});
    test::pin(model, {0, 12});
    const Vector3 held = model.start_positions.row(8 * 13 + 6);
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        const auto interaction = std::make_shared<Interaction>();
        World world{.drag_rate = 2};
        world.interaction = interaction;
        interaction->grabs = {grab_at(held, held + Vector3(0, 0.1, 0.25))};
        const auto height = [&](const ClothState& state) { return state.positions(8 * 13 + 6, 2); };
        CHECK(height(run(model, world, settings, 50)) > 0.05);
        interaction->grabs.clear();
        CHECK(height(run(model, world, settings, 50)) < 0);
    }
}

TEST_CASE("No pull throws a cloth off, however far and in whatever steps") {
    ClothModel model = test::grid_cloth({.rows = 5, .columns = 7});
    test::pin(model, {0});
    const auto interaction = std::make_shared<Interaction>();
    World world;
    world.interaction = interaction;
    for (const double stiffness : {10.0, 1e5}) {
        model.springs.stiffness.setConstant(stiffness);
        interaction->grabs = {grab_at(model.start_positions.row(20), {0.4, 0.4, 1.0})};
        for (const auto& [name, settings] : test::all_solvers()) {
            if (name.starts_with("mass_spring") && stiffness > 100) continue;  // thousands of small steps
            CAPTURE(name);
            const ClothState state = run(model, world, settings, 100);
            CHECK(state.positions.cwiseAbs().maxCoeff() < 20);
        }
    }
}

TEST_CASE("The fast mass_spring feels a hand as its plain twin does") {
    ClothModel model = test::grid_cloth();
    test::pin(model, {0, 12});
    const auto interaction = std::make_shared<Interaction>();
    World world{.wind = WindSettings{.velocity = {1, 2, 0.5}}, .drag_rate = 1};
    world.interaction = interaction;
    interaction->grabs = {grab_at(model.start_positions.row(100), {0.4, 0.4, 0.2})};
    interaction->gravity_change = {1, 0, 3};
    interaction->wind_velocity = Vector3(-2, 0, 1);
    const ClothState fast = run(model, world, MassSpringSettings{}, 5);
    const ClothState plain = run(model, world, MassSpringSettings{.reference = true}, 5);
    CHECK((fast.positions - plain.positions).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("A world that nobody touches gives the bits of one that cannot be touched") {
    ClothModel model = test::grid_cloth();
    test::pin(model, {0, 12});
    const World plain{.wind = WindSettings{.velocity = {3, 1, 0}, .gust_strength = 0.5}};
    World touched = plain;
    touched.interaction = std::make_shared<Interaction>();
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        CHECK(run(model, plain, settings, 10).positions == run(model, touched, settings, 10).positions);
    }
}

TEST_CASE("Changed gravity and wind act at once, as if the world had been made with them") {
    ClothModel model = test::grid_cloth();
    test::pin(model, {0, 12});
    const World wanted{.gravity = {0, 0, 4}, .wind = WindSettings{.velocity = {-3, 1, 0}}};
    World changed{.gravity = {0, 0, -9}, .wind = WindSettings{.velocity = {3, 1, 0}}};
    const auto interaction = std::make_shared<Interaction>();
    interaction->gravity_change = {0, 0, 13};
    interaction->wind_velocity = Vector3(-3, 1, 0);
    changed.interaction = interaction;
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        CHECK(run(model, wanted, settings, 10).positions == run(model, changed, settings, 10).positions);
    }
}
