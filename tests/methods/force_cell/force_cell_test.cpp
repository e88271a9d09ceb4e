// SPDX-License-Identifier: Apache-2.0
// The cell with parameters set by hand is the physics.
#include "tulle/methods/force_cell/force_cell.h"

#include "tests/methods/force_cell/cells.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/solvers/mass_spring_grid.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

Forces accelerations(const ForceCell& cell, const physics::ClothModel& model, const physics::ClothState& state) {
    const CellGrid grid = make_cell_grid(model);
    Forces result(model.vertex_count(), 3);
    for (int v = 0; v < model.vertex_count(); ++v)
        result.row(v) = cell_acceleration(cell, grid, state.positions, state.velocities, v);
    return result;
}

// By springs and gravity, zero where pinned.
Forces physical_accelerations(const physics::ClothModel& model, const physics::ClothState& state) {
    Forces result = physics::SpringForces(model).at(state);
    const std::vector<bool> pinned = model.pinned();
    for (int v = 0; v < model.vertex_count(); ++v)
        result.row(v) = pinned[static_cast<size_t>(v)]
                            ? Eigen::RowVector3d(0, 0, 0)
                            : Eigen::RowVector3d(result.row(v) / model.masses(v) + gravity.transpose());
    return result;
}

std::unique_ptr<physics::Stepper> make_cell(const physics::ClothModel& model, const physics::World& world,
                                            const ForceCell& cell, bool reference = false) {
    return make_force_cell(model, world, forces_outside(world, model), cell, {.reference = reference});
}

}  // namespace

TEST_CASE("With parameters set by hand the cell equals physics to rounding, at borders, corners, holes and pins too") {
    for (const bool with_hole : {false, true}) {
        physics::ClothModel model = example_cloth(with_hole);
        tulle::test::pin(model, {0, 5, 100});
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const physics::ClothState state = random_state(model, seed);
            const Forces truth = physical_accelerations(model, state);
            const Forces said = accelerations(exact_cell(model, gravity, 0), model, state);
            CHECK((said - truth).cwiseAbs().maxCoeff() < 1e-12 * truth.cwiseAbs().maxCoeff());
            CHECK(said.row(5).isZero());
        }
    }
}

TEST_CASE("Softening costs what it explains: the pull of a spring fades by half of c over its squared length") {
    const physics::ClothModel model = example_cloth();
    const physics::ClothState state = random_state(model);
    const Forces exact = accelerations(exact_cell(model, gravity, 0), model, state);
    const auto error = [&](double softening) {
        return (accelerations(exact_cell(model, gravity, softening), model, state) - exact).cwiseAbs().maxCoeff();
    };
    // Twelve springs of kL/m times c/(2 ℓ²), and three times that for dashpots, whose direction counts twice.
    double shortest = 1;
    for (long e = 0; e < model.springs.count(); ++e)
        shortest = std::min(
            shortest,
            (state.positions.row(model.springs.edges(e, 0)) - state.positions.row(model.springs.edges(e, 1))).norm());
    const double pull = 12 * (120 * 0.0708 + 2 * 0.3 * 4) / 0.4;
    CHECK(error(1e-9) > 0);
    CHECK(error(1e-9) < pull * 1e-9 / (2 * shortest * shortest));
    CHECK(error(1e-9) == tulle::test::near(10 * error(1e-10)).epsilon(1e-3));
}

TEST_CASE("Rotating a state rotates what the cell says of it") {
    const physics::ClothModel model = example_cloth();
    physics::ClothState state = random_state(model);
    const ForceCell cell = exact_cell(model, Vector3::Zero(), 1e-9);
    const Forces before = accelerations(cell, model, state);
    const Matrix3 turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    state.positions *= turn.transpose();
    state.velocities *= turn.transpose();
    const Forces after = accelerations(cell, model, state);
    CHECK((after - before * turn.transpose()).cwiseAbs().maxCoeff() < 1e-9 * before.cwiseAbs().maxCoeff());
}

TEST_CASE("A cloth at rest without gravity stays at rest, by the plain cell and by the fused one") {
    const physics::ClothModel model = example_cloth(true);
    const physics::World world = world_with(Vector3::Zero());
    for (const bool reference : {true, false}) {
        physics::ClothState state = tulle::test::at_rest(model);
        static_cast<void>(
            make_cell(model, world, exact_cell(model, Vector3::Zero(), 0), reference)->advance(state, 1e-3, 300));
        CHECK((state.positions - model.start_positions).cwiseAbs().maxCoeff() < (reference ? 1e-12 : 1e-7));
    }
}

TEST_CASE("A free cloth keeps its momentum, but not if opposite neighbours are treated differently") {
    const physics::ClothModel model = example_cloth();
    const physics::World world = world_with(Vector3::Zero());
    ForceCell cell = exact_cell(model, Vector3::Zero(), 1e-9);
    const auto change_of_momentum = [&](bool reference) {
        physics::ClothState state = random_state(model);
        const Eigen::RowVector3d before = state.velocities.colwise().sum();
        static_cast<void>(make_cell(model, world, cell, reference)->advance(state, 1e-3, 200));
        return (state.velocities.colwise().sum() - before).norm();
    };
    CHECK(change_of_momentum(true) < 1e-9);
    CHECK(change_of_momentum(false) < 1e-3);
    CHECK(has_tied_pairs(cell));
    cell.linear[3] *= 1.001;
    CHECK_FALSE(has_tied_pairs(cell));
    CHECK(change_of_momentum(true) > 1e-2);
}

TEST_CASE(
    "The fused cell follows its plain twin with wind, pressure, drag, moving pins, scaled filters and softening") {
    physics::ClothModel model = example_cloth();
    tulle::test::pin(model, {0, 18}, {.keyframes = {{0, Vector3::Zero(), 0}, {1, Vector3(0, 0.3, 0.2), 1}}});
    physics::World world = world_with(Vector3(9, 9, 9));  // must not count
    world.wind = physics::WindSettings{.velocity = {3, 1, 0}};
    world.pressure = 20;
    world.drag_rate = 0.5;
    ForceCell cell = exact_cell(model, gravity, 1e-6);
    for (size_t c = 0; c < 4; ++c) {
        cell.scales[c] = -2.5;
        cell.linear[c] /= -2.5;
        cell.nonlinear[c] *= -1;
        cell.derivative[c] /= -2.5;
    }
    physics::ClothState plain = random_state(model), fused = plain;
    static_cast<void>(make_cell(model, world, cell, true)->advance(plain, 1e-3, 300));
    static_cast<void>(make_cell(model, world, cell)->advance(fused, 1e-3, 300));
    CHECK((plain.positions - model.start_positions).rowwise().norm().maxCoeff() > 0.1);
    CHECK((fused.positions - plain.positions).rowwise().norm().maxCoeff() < 2e-5);
}

TEST_CASE("The fused kernels follow the plain twin around holes") {
    const physics::ClothModel model = example_cloth(true);
    REQUIRE(physics::has_holes(model));
    const physics::World world = world_with(gravity);
    physics::ClothState plain = random_state(model), start = plain;
    static_cast<void>(
        physics::make_solver(model, world, physics::MassSpringSettings{.reference = true})->advance(plain, 1e-3, 200));
    for (const auto kernel : {physics::mass_spring::portable_kernel(), physics::mass_spring::best_kernel()}) {
        physics::ClothState fused = start;
        static_cast<void>(physics::MassSpringGrid(model, world, physics::make_forces(world, model),
                                                  *physics::uniform_directions(model), kernel)
                              .advance(fused, 1e-3, 200));
        CHECK((fused.positions - plain.positions).rowwise().norm().maxCoeff() < 1e-5);
    }
    physics::ClothState cell = start;
    static_cast<void>(make_cell(model, world, exact_cell(model, gravity, 0))->advance(cell, 1e-3, 200));
    CHECK((cell.positions - plain.positions).rowwise().norm().maxCoeff() < 1e-5);
}

TEST_CASE("The same bits come out on any number of threads, fused and plain") {
    const physics::ClothModel model = example_cloth();
    const physics::World world = world_with(gravity);
    for (const bool reference : {true, false}) {
        const auto run = [&](int threads) {
            const ThreadCountScope scope(threads);
            physics::ClothState state = random_state(model);
            static_cast<void>(
                make_cell(model, world, exact_cell(model, gravity, 1e-9), reference)->advance(state, 1e-3, 50));
            return state.positions;
        };
        const Positions once = run(1);
        for (const int threads : {2, 3, 7}) CHECK((run(threads).array() == once.array()).all());
    }
}

TEST_CASE("Gravity is in the cell, so the world's is not added") {
    const physics::ClothModel model = example_cloth();
    const physics::World world = world_with(gravity);
    CHECK(forces_outside(world, model).empty());
    for (const bool reference : {true, false}) {
        physics::ClothState state = tulle::test::at_rest(model);
        static_cast<void>(make_cell(model, world, exact_cell(model, gravity, 0), reference)->advance(state, 1e-3, 1));
        CHECK((state.velocities.rowwise() - 1e-3 * gravity.transpose()).cwiseAbs().maxCoeff() < 1e-8);
    }
}

namespace {

// Anything can be plugged in as a force: here wind that knows only the heights of vertices.
class Updraught final : public physics::Force {
public:
    void add_to(Forces& forces, const physics::ClothState& state) const override {
        forces.col(1) += 2 * state.positions.col(1).cwiseAbs();
    }
};

}  // namespace

TEST_CASE("A force that nobody knows plugs in, and a note says that the plain twin runs") {
    const physics::ClothModel model = example_cloth();
    const physics::World world = world_with(Vector3::Zero());
    physics::ForceList outside;
    outside.push_back(std::make_unique<Updraught>());
    const auto stepper =
        make_force_cell(model, world, std::move(outside), exact_cell(model, Vector3::Zero(), 0), {.note = "first"});
    CHECK(contains(stepper->note(), "first; "));
    CHECK(contains(stepper->note(), "plain twin"));
    physics::ClothState state = tulle::test::at_rest(model);
    static_cast<void>(stepper->advance(state, 1e-3, 1));
    const VectorX expected = 1e-3 * 2 * model.start_positions.col(1).cwiseAbs() / 0.4;
    CHECK((state.velocities.col(1) - expected).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(make_cell(model, world, exact_cell(model, Vector3::Zero(), 0))->note().empty());
}

TEST_CASE("A cell is carried over to another material and spacing as if it had been taught it") {
    const physics::ClothModel from = example_cloth();
    const physics::ClothModel to = tulle::test::grid_cloth(
        {.rows = 7, .columns = 7, .spacing = 0.02, .mass = 0.1, .stretch = 400, .bend = 90, .damping = 0.05});
    const Vector3 other_gravity(0, 0, -3);
    const ForceCell carried =
        carried_over(exact_cell(from, gravity, 0), {cell_material(from), gravity}, {cell_material(to), other_gravity});
    const ForceCell wanted = exact_cell(to, other_gravity, 0);
    for (size_t c = 0; c < physics::stencil_channels; ++c) {
        CHECK(carried.linear[c] == tulle::test::near(wanted.linear[c]));
        CHECK(carried.nonlinear[c] == tulle::test::near(wanted.nonlinear[c]));
        CHECK(carried.derivative[c] == tulle::test::near(wanted.derivative[c]));
    }
    CHECK((carried.bias - other_gravity).norm() < 1e-12);
    CHECK(is_same({cell_material(from), gravity}, {cell_material(from), gravity}));
    CHECK_FALSE(is_same({cell_material(from), gravity}, {cell_material(to), gravity}));
    CHECK_FALSE(is_same({cell_material(from), gravity}, {cell_material(from), other_gravity}));
}

TEST_CASE("What a cell was not taught cannot be scaled, and other cloths than grids are refused") {
    const physics::ClothModel undamped = tulle::test::grid_cloth({.damping = 0}),
                              damped = tulle::test::grid_cloth({.damping = 1});
    CHECK(contains(error_of([&] {
                       carried_over(exact_cell(undamped, gravity, 0), {cell_material(undamped), gravity},
                                    {cell_material(damped), gravity});
                   }),
                   "without damping"));
    CHECK(contains(error_of([] { make_cell_grid(tulle::test::chain(5, 0.1, 1, 1)); }), "grids"));
    physics::ClothModel uneven = example_cloth();
    uneven.springs.stiffness(7) *= 1.1;
    CHECK(contains(error_of([&] { exact_cell(uneven, gravity, 0); }), "alike"));
}
