// SPDX-License-Identifier: Apache-2.0
// A solver feels the forces it is handed: all of them, and no others.
#include "tests/support/cloths.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/forces/pressure.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::physics;

namespace {

// A force no solver has heard of: the same on every vertex.
class Push final : public Force {
public:
    explicit Push(const Vector3& push) : push_(push) {}
    void add_to(Forces& forces, const ClothState&) const override { forces.rowwise() += push_.transpose(); }

private:
    Vector3 push_;  // [N]
};

template <typename... Given>
ForceList list_of(Given... given) {
    ForceList forces;
    (forces.push_back(std::make_unique<const Given>(std::move(given))), ...);
    return forces;
}

ClothState after(std::unique_ptr<Stepper> solver, const ClothModel& model) {
    ClothState state = test::at_rest(model);
    solver->advance(state, 1e-3, 50);
    return state;
}

// A sheet with one corner held, so that wind and pressure have something to bend.
ClothModel held_sheet() {
    ClothModel model = test::grid_cloth({.damping = 0.002});
    test::pin(model, {0});
    return model;
}

World windy_world() {
    World world;
    world.wind = WindSettings{.velocity = {1, 2, 3}, .gust_strength = 0.3};
    world.pressure = 4;
    world.drag_rate = 0.2;
    return world;
}

}  // namespace

TEST_CASE("The impulse of an unknown force arrives in the cloth, with every solver") {
    const ClothModel model = test::grid_cloth();
    const Vector3 push(2e-3, -1e-3, 5e-3);
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        const ClothState state = after(make_solver(model, World{}, list_of(Push(push)), settings), model);
        const Vector3 momentum = (model.masses.asDiagonal() * state.velocities).colwise().sum();
        const Vector3 impulse = push * model.vertex_count() * 0.05;
        CHECK((momentum - impulse).norm() < 1e-3 * impulse.norm());  // the fused admm rounds to single precision
    }
}

TEST_CASE("A cloth that is handed no forces stays where it is, whatever the world has, with every solver") {
    const ClothModel model = test::grid_cloth();
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        const ClothState state = after(make_solver(model, windy_world(), ForceList{}, settings), model);
        CHECK((state.positions - model.mesh.positions).norm() < 1e-4);  // a fall would be 0.13
    }
}

TEST_CASE("Wind and pressure without gravity are what a weightless world gives, with every solver") {
    const ClothModel model = held_sheet();
    World world = windy_world();
    world.gravity.setZero();
    for (const auto& [name, settings] : test::all_solvers()) {
        CAPTURE(name);
        const ClothState weightless = after(make_solver(model, world, settings), model);
        const ClothState handed = after(
            make_solver(model, windy_world(), list_of(Wind(model, *world.wind), Pressure(model, 4)), settings), model);
        CHECK((weightless.positions - handed.positions).norm() < 1e-12);
        CHECK((handed.positions - model.mesh.positions).norm() > 1e-3);
    }
}

TEST_CASE("Handing over the world's own forces in any order gives the same bits as handing over none") {
    const ClothModel model = held_sheet();
    const World world = windy_world();
    const ClothState own = after(make_solver(model, world, MassSpringSettings{}), model);
    const auto solver = [&] {
        return make_solver(
            model, world,
            list_of(Pressure(model, world.pressure), Gravity(model, world.gravity), Wind(model, *world.wind)),
            MassSpringSettings{});
    };
    const ClothState handed = after(solver(), model);
    CHECK(own.positions == handed.positions);
    CHECK(own.velocities == handed.velocities);
    CHECK(solver()->note().empty());
}

TEST_CASE("With an unknown force, or two of a kind, the plain mass_spring runs and says so") {
    const ClothModel model = held_sheet();
    const World world = windy_world();
    const auto make = [&](bool unknown, bool reference) {
        const Gravity gravity(model, world.gravity);
        ForceList forces = unknown ? list_of(gravity, Push({0, 0, 1e-3})) : list_of(gravity, gravity);
        return make_solver(model, world, std::move(forces), MassSpringSettings{.reference = reference});
    };
    for (const bool unknown : {true, false}) {
        CAPTURE(unknown);
        CHECK(make(unknown, false)->note().find("plain twin") != std::string::npos);
        CHECK(make(unknown, true)->note().empty());
        const ClothState plain = after(make(unknown, true), model);
        CHECK(after(make(unknown, false), model).positions == plain.positions);
    }
}
