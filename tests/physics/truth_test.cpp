// SPDX-License-Identifier: Apache-2.0
// What every solver must get right about the world.
#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/physics/energies/elastic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tulle;
using namespace tulle::physics;

namespace {

constexpr double g = 9.81;

World weightless() {
    World world;
    world.gravity.setZero();
    return world;
}

// The upward crossings of zero of a signal sampled at times i·dt, interpolated; their mean distance is the period.
double period(const std::vector<double>& signal, double dt) {
    std::vector<double> crossings;
    for (size_t i = 1; i < signal.size(); ++i)
        if (signal[i - 1] < 0 && signal[i] >= 0)
            crossings.push_back(dt * (static_cast<double>(i) - signal[i] / (signal[i] - signal[i - 1])));
    REQUIRE(crossings.size() >= 2);
    return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

// Every column taut, held on all four sides.
ClothModel taut_cloth(const test::GridOptions& options) {
    ClothModel model = test::grid_cloth(options);
    std::vector<int> border;
    for (int v = 0; v < model.vertex_count(); ++v) {
        const int r = v / options.columns, c = v % options.columns;
        if (r == 0 || c == 0 || r == options.rows - 1 || c == options.columns - 1) border.push_back(v);
    }
    model.springs.rest_lengths *= 0.8;
    test::pin(model, border);
    return model;
}

double total_energy(const ClothModel& model, const ClothState& state) {
    return elastic_energy(model, state.positions) + kinetic_energy(model, state.velocities);
}

}  // namespace

TEST_CASE("A free cloth falls by half g t squared, exactly as the discrete sum says, with every solver") {
    const ClothModel model = test::grid_cloth();
    const World world;
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        constexpr double dt = 2e-3;
        constexpr int steps = 200;
        make_solver(model, world, settings)->advance(state, dt, steps);
        const double time = steps * dt;
        const VectorX fallen = model.mesh.positions.col(2) - state.positions.col(2);
        CHECK(state.time == test::near(time));
        CHECK(fallen.minCoeff() == test::near(g * dt * dt * steps * (steps + 1) / 2).epsilon(1e-5));
        CHECK(fallen.maxCoeff() == test::near(0.5 * g * time * time).epsilon(1e-2));
        CHECK((state.velocities.col(2).array() + g * time).abs().maxCoeff() < 2e-3);
    }
}

TEST_CASE("Drag lets a free cloth fall at a limited speed, g over the drag rate") {
    const ClothModel model = test::grid_cloth({.stretch = 1, .bend = 0.1});  // soft, so that 10 ms is stable
    World world;
    world.drag_rate = 4;
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        make_solver(model, world, settings)->advance(state, 1e-2, 200);
        CHECK(state.velocities.col(2).mean() == test::near(-g / 4).epsilon(0.03));
    }
}

TEST_CASE("A pendulum swings with the period two pi root of length over g") {
    ClothModel model = test::chain(2, 0.5, 0.01, 2e4);
    test::pin(model, {0});
    const World world;
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        constexpr double dt = 5e-4, angle = 0.05;
        state.positions.row(1) << 0.5 * std::sin(angle), 0, -0.5 * std::cos(angle);
        const auto solver = make_solver(model, world, settings);
        std::vector<double> signal;
        for (int i = 0; i < 9000; ++i) {
            solver->advance(state, dt, 1);
            signal.push_back(state.positions(1, 0));
        }
        CHECK(period(signal, dt) == test::near(2 * std::numbers::pi * std::sqrt(0.5 / g)).epsilon(5e-3));
    }
}

TEST_CASE("A mass on a spring oscillates with the frequency root of k over m") {
    ClothModel model = test::chain(2, 0.2, 0.05, 40);
    test::pin(model, {0});
    const World world = weightless();
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        constexpr double dt = 2e-4;
        state.positions(1, 0) = 0.21;
        const auto solver = make_solver(model, world, settings);
        std::vector<double> signal;
        for (int i = 0; i < 6000; ++i) {
            solver->advance(state, dt, 1);
            signal.push_back(state.positions(1, 0) - 0.2);
        }
        CHECK(period(signal, dt) == test::near(2 * std::numbers::pi * std::sqrt(0.05 / 40)).epsilon(5e-3));
    }
}

TEST_CASE("A hanging chain settles in the catenary") {
    constexpr int links = 80;
    constexpr double length = 1.2, span = 0.8;
    ClothModel model = test::chain(links + 1, length / links, 1e-3, 5e4);
    // A chain laid out straight is too long for the span: push its right end in, the rest follows.
    for (auto x : model.start_positions.rowwise()) x(0) *= span / length;
    test::pin(model, {0, links});
    World world;
    world.drag_rate = 3;
    ClothState state = test::at_rest(model);
    for (int i = 1; i < links; ++i) state.positions(i, 2) = -0.3 * std::sin(std::numbers::pi * i / links);
    const auto solver = make_solver(model, world, NewtonSettings{.tolerance = 1e-6});
    solver->advance(state, 0.05, 150);

    // z = a cosh((x − c)/a) + z₀ with 2a sinh(span/2a) = length
    double low = 0.01, high = 10;
    for (int i = 0; i < 200; ++i) {
        const double a = 0.5 * (low + high);
        (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
    }
    const double a = 0.5 * (low + high);
    for (int i = 0; i <= links; ++i) {
        const double x = state.positions(i, 0) - span / 2;
        const double expected = a * std::cosh(x / a) - a * std::cosh(span / (2 * a));
        CHECK(std::abs(state.positions(i, 2) - expected) < 2e-3);
    }
}

TEST_CASE("Linear momentum is kept without external force, with every solver") {
    const ClothModel model = test::grid_cloth({.damping = 0.002});
    const World world = weightless();
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        state.positions += test::random_rows(model.vertex_count(), 0.01, 1);
        state.velocities += test::random_rows(model.vertex_count(), 1, 2);
        state.velocities.rowwise() += Eigen::RowVector3d(0.3, -0.2, 0.5);
        const Vector3 before = model.masses.transpose() * state.velocities;
        make_solver(model, world, settings)->advance(state, 1e-3, 100);
        const Vector3 after = model.masses.transpose() * state.velocities;
        const bool is_single = name == "admm" || name == "admm, balanced" || name == "mass_spring";
        const double rounding = is_single ? 1e-4 : 1e-7;
        CHECK((after - before).norm() < rounding * before.norm());
    }
}

TEST_CASE("The energy of a taut cloth never grows under newton") {
    const ClothModel model = taut_cloth({.rows = 9, .columns = 9});
    const World world = weightless();
    ClothState state = test::at_rest(model);
    state.positions += test::random_rows(model.vertex_count(), 0.005, 3);
    model.place_pins(0, state.positions);
    state.velocities += test::random_rows(model.vertex_count(), 0.5, 4);
    for (const PinGroup& group : model.pins)
        for (const int v : group.vertices) state.velocities.row(v).setZero();
    const auto solver = make_solver(model, world, NewtonSettings{});
    double energy = total_energy(model, state);
    const double start = energy;
    for (int i = 0; i < 200; ++i) {
        solver->advance(state, 0.01, 1);
        const double next = total_energy(model, state);
        CHECK(next <= energy * (1 + 1e-10));
        energy = next;
    }
    const double at_rest = elastic_energy(model, model.mesh.positions);  // taut and flat: the least there is
    CHECK(energy - at_rest < 0.5 * (start - at_rest));
}

TEST_CASE("The energy of a taut cloth stays bounded over 10,000 steps of mass_spring, plain and fused") {
    const ClothModel model = taut_cloth({.rows = 7, .columns = 9});
    const World world = weightless();
    for (const bool reference : {true, false}) {
        CAPTURE(reference);
        ClothState state = test::at_rest(model);
        state.velocities += test::random_rows(model.vertex_count(), 0.3, 5);
        for (const PinGroup& group : model.pins)
            for (const int v : group.vertices) state.velocities.row(v).setZero();
        const double start = total_energy(model, state);
        const double dt = 0.3 * stable_explicit_step(model);
        const auto solver = make_solver(model, world, MassSpringSettings{.reference = reference});
        for (int block = 0; block < 100; ++block) {
            solver->advance(state, dt, 100);
            CHECK(total_energy(model, state) == test::near(start).epsilon(0.02));
        }
    }
}

TEST_CASE("mass_spring is stable at its stable step and explodes at three times it") {
    const ClothModel model = taut_cloth({.rows = 7, .columns = 9, .damping = 0.003});
    const World world = weightless();
    const auto energy_after = [&](double factor) {
        ClothState state = test::at_rest(model);
        state.velocities += test::random_rows(model.vertex_count(), 0.3, 6);
        make_solver(model, world, MassSpringSettings{.reference = true})
            ->advance(state, factor * stable_explicit_step(model), 300);
        return total_energy(model, state);
    };
    const double start = total_energy(model, test::at_rest(model));
    CHECK(energy_after(1) < 1.5 * start);
    bool exploded = false;
    try {
        exploded = energy_after(3) > 1e6 * start;
    } catch (const Divergence&) {
        exploded = true;
    }
    CHECK(exploded);
}

TEST_CASE("The error of a swinging cloth halves with the time step") {
    ClothModel model = test::grid_cloth({.rows = 4, .columns = 5, .stretch = 30});
    test::pin(model, {0});
    const World world;
    for (const SolverSettings& settings :
         {SolverSettings(NewtonSettings{}), SolverSettings(MassSpringSettings{.reference = true})}) {
        CAPTURE(method_name(settings));
        const auto run = [&](int steps) {
            ClothState state = test::at_rest(model);
            make_solver(model, world, settings)->advance(state, 0.1 / steps, steps);
            return state.positions;
        };
        // Halving the step halves the distance to the next halving.
        const Positions coarse = run(100), middle = run(200), fine = run(400);
        CHECK((coarse - middle).norm() / (middle - fine).norm() == test::near(2).epsilon(0.1));
    }
}

TEST_CASE("Moving pins carry the cloth with them") {
    const geometry::RigidMotion lift{.keyframes = {{0, Vector3::Zero(), 0}, {0.1, Vector3(0, 0, 0.2), 0}}};
    ClothModel model = test::grid_cloth();
    test::pin(model, {0, 12}, lift);
    const World world;
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState state = test::at_rest(model);
        make_solver(model, world, settings)->advance(state, 1e-3, 100);
        CHECK((state.positions.row(12) - model.mesh.positions.row(12) - Eigen::RowVector3d(0, 0, 0.2)).norm() < 1e-6);
        CHECK(state.velocities(12, 2) == test::near(2).epsilon(1e-3));
        CHECK(state.positions(6, 2) > 0);
    }
}

TEST_CASE("A step that leaves the finite numbers names the vertex") {
    const ClothModel model = test::grid_cloth();
    World world;
    world.gravity << 0, 0, -1e308;
    ClothState state = test::at_rest(model);
    const auto solver = make_solver(model, world, ProjectiveDynamicsSettings{});
    CHECK_THROWS_WITH_AS(solver->advance(state, 1, 50), doctest::Contains("left the finite numbers"), Divergence);
}
