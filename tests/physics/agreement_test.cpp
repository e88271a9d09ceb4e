// SPDX-License-Identifier: Apache-2.0
// Who is right about one step: newton's minimiser, and how near the others come.
#include "tests/support/cloths.h"
#include "tulle/core/parallel.h"
#include "tulle/physics/solvers/mass_spring_grid.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::physics;

namespace {

// A flag in the wind, held at one side, in mid-flight.
struct Flight {
    explicit Flight(double damping = 0, int lead = 20)
        : model(test::grid_cloth({.damping = damping, .along_rows = -Vector3::UnitZ()})) {
        std::vector<int> pole;
        for (int r = 0; r < 9; ++r) pole.push_back(13 * r);
        test::pin(model, pole);
        world.wind = WindSettings{.velocity = {4, 2, 0}, .normal = 3};
        state = test::at_rest(model);
        make_solver(model, world, NewtonSettings{})->advance(state, 0.02, lead);
    }

    Positions step(const SolverSettings& settings) const {
        ClothState next = state;
        make_solver(model, world, settings)->advance(next, 0.02, 1);
        return next.positions;
    }

    ClothModel model;
    World world;
    ClothState state;
};

}  // namespace

TEST_CASE("newton reaches a relative residual of 1e-8") {
    const Flight flight;
    ClothState state = flight.state;
    const StepReport report = make_solver(flight.model, flight.world, NewtonSettings{})->advance(state, 0.02, 1);
    CHECK(report.residual <= 1e-8);
    CHECK(report.iterations < 50);
}

TEST_CASE("admm and implicit_cg with many iterations reach newton's minimiser of the same step") {
    for (const double damping : {0.0, 0.02}) {
        CAPTURE(damping);
        const Flight flight(damping);
        const Positions minimiser = flight.step(NewtonSettings{});
        const double moved = (minimiser - flight.state.positions).rowwise().norm().maxCoeff();
        const auto distance = [&](const SolverSettings& settings) {
            return (flight.step(settings) - minimiser).rowwise().norm().maxCoeff();
        };
        CHECK(moved > 0.01);
        CHECK(distance(ProjectiveDynamicsSettings{.iterations = 5000, .reference = true}) < 1e-6 * moved);
        CHECK(distance(ProjectiveDynamicsSettings{.iterations = 5000}) < 1e-4 * moved);
        constexpr AdmmScheme balanced = AdmmScheme::Balanced;
        CHECK(distance(ProjectiveDynamicsSettings{.iterations = 5000, .scheme = balanced, .reference = true}) <
              1e-6 * moved);
        CHECK(distance(ProjectiveDynamicsSettings{.iterations = 5000, .scheme = balanced}) < 1e-4 * moved);
        CHECK(distance(ImplicitEulerSettings{.newton_steps = 100, .cg_iterations = 500, .cg_tolerance = 1e-10}) <
              1e-6 * moved);
    }
}

TEST_CASE("xpbd comes within a percent of the step") {
    const Flight flight(/*damping=*/0, /*lead=*/5);
    const Positions minimiser = flight.step(NewtonSettings{});
    const double moved = (minimiser - flight.state.positions).rowwise().norm().mean();
    CHECK((flight.step(XpbdSettings{.iterations = 1000}) - minimiser).rowwise().norm().mean() < 0.01 * moved);
}

TEST_CASE("admm stops early at its tolerance") {
    const Flight flight;
    ClothState state = flight.state;
    const auto solver =
        make_solver(flight.model, flight.world, ProjectiveDynamicsSettings{.iterations = 500, .tolerance = 1e-3});
    const StepReport report = solver->advance(state, 0.02, 1);
    CHECK(report.iterations > 3);
    CHECK(report.iterations < 500);
    CHECK(report.residual <= 1e-3);
}

TEST_CASE("The fused admm follows its plain twin over a second of flight") {
    const Flight flight;
    for (const AdmmScheme scheme : {AdmmScheme::Paper, AdmmScheme::Balanced}) {
        CAPTURE(static_cast<int>(scheme));
        ProjectiveDynamicsSettings settings{.scheme = scheme};
        ClothState fused = flight.state, plain = flight.state;
        make_solver(flight.model, flight.world, settings)->advance(fused, 0.02, 25);
        settings.reference = true;
        make_solver(flight.model, flight.world, settings)->advance(plain, 0.02, 25);
        CHECK((fused.positions - plain.positions).rowwise().norm().maxCoeff() < 1e-3);
        CHECK((fused.positions - flight.state.positions).rowwise().norm().maxCoeff() > 0.05);
    }
}

TEST_CASE("The fused mass_spring kernels equal their plain twin, with wind, pressure, drag and moving pins") {
    Flight flight(0.003);
    flight.world.pressure = 3;
    flight.world.drag_rate = 0.5;
    flight.model.pins[0].motion.keyframes = {{0, Vector3::Zero(), 0}, {10, Vector3(0, 3, 0), 1}};
    flight.model.pins[0].motion.axis = Vector3::UnitZ();
    const auto directions = uniform_directions(flight.model);
    REQUIRE(directions);
    ClothState plain = flight.state;
    make_solver(flight.model, flight.world, MassSpringSettings{.reference = true})->advance(plain, 5e-4, 200);
    for (const auto& kernel : {mass_spring::portable_kernel(), mass_spring::best_kernel()}) {
        ClothState fused = flight.state;
        MassSpringGrid(flight.model, flight.world, make_forces(flight.world, flight.model), *directions, kernel)
            .advance(fused, 5e-4, 200);
        CHECK((fused.positions - plain.positions).rowwise().norm().maxCoeff() < 1e-5);
        CHECK((fused.velocities - plain.velocities).rowwise().norm().maxCoeff() < 1e-3);
    }
    CHECK((plain.positions - flight.state.positions).rowwise().norm().maxCoeff() > 0.05);
}

TEST_CASE("A cloth whose springs differ is not a uniform grid") {
    ClothModel model = test::grid_cloth();
    CHECK(uniform_directions(model));
    model.springs.stiffness(7) *= 1.1;
    CHECK_FALSE(uniform_directions(model));
}

TEST_CASE("Several steps at once give the same bits as one at a time, with every solver") {
    const Flight flight(0.002);
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        ClothState together = flight.state, alone = flight.state;
        make_solver(flight.model, flight.world, settings)->advance(together, 1e-3, 5);
        const auto solver = make_solver(flight.model, flight.world, settings);
        for (int i = 0; i < 5; ++i) solver->advance(alone, 1e-3, 1);
        CHECK(together.positions == alone.positions);
        CHECK(together.velocities == alone.velocities);
        CHECK(together.time == alone.time);
    }
}

TEST_CASE("Every solver gives the same bits on 1, 2, 3 and 8 threads") {
    ClothModel model = test::grid_cloth({.rows = 33, .columns = 49, .spacing = 0.02, .along_rows = -Vector3::UnitZ()});
    std::vector<int> top;
    for (int c = 0; c < 49; c += 12) top.push_back(c);
    test::pin(model, top);
    model.hinges = quadratic_hinges(model.mesh, 1e-5);
    World world;
    world.wind = WindSettings{.velocity = {1, 3, 0}, .gust_strength = 0.3};
    const int threads_before = thread_count();
    for (const bool hinged : {false, true}) {
        if (!hinged) model.hinges = {};
        if (hinged) model.hinges = quadratic_hinges(model.mesh, 1e-5);
        for (const auto& [name, settings] : test::all_solvers()) {
            CAPTURE(name);
            ClothState first;
            for (const int threads : {1, 2, 3, 8}) {
                set_thread_count(threads);
                ClothState state = test::at_rest(model);
                make_solver(model, world, settings)->advance(state, 1e-3, 5);
                if (threads == 1) first = state;
                CHECK(state.positions == first.positions);
                CHECK(state.velocities == first.velocities);
            }
        }
    }
    set_thread_count(threads_before);
}
