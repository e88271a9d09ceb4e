// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/solver.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/solvers/implicit_euler.h"
#include "tulle/physics/solvers/mass_spring.h"
#include "tulle/physics/solvers/newton.h"
#include "tulle/physics/solvers/projective_dynamics.h"
#include "tulle/physics/solvers/xpbd.h"

#include <cmath>

namespace tulle::physics {

namespace {

VectorX inverse_masses(const ClothModel& model) {
    VectorX inverse = model.masses.cwiseInverse();
    for (const PinGroup& group : model.pins)
        for (const int v : group.vertices) inverse(v) = 0;
    return inverse;
}

template <typename... Cases>
struct Overload : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overload(Cases...) -> Overload<Cases...>;  // clang 14 does not find it itself

}  // namespace

Solver::Solver(const ClothModel& model, const World& world, ForceList forces)
    : model_(model),
      world_(world),
      pinned_(model.pinned()),
      inverse_masses_(inverse_masses(model)),
      forces_(std::move(forces)),
      contacts_(model.mesh.positions, model.mesh.triangles, inverse_masses_, world.colliders, world.self_contact) {}

StepReport Solver::advance(ClothState& state, double dt, int steps) {
    StepReport report;
    for (int i = 0; i < steps; ++i) step(state, dt, report);
    return report;
}

void Solver::require_finite(const ClothState& state) {
    if (state.positions.allFinite() && state.velocities.allFinite()) return;
    for (int v = 0; v < state.positions.rows(); ++v)
        if (!state.positions.row(v).allFinite() || !state.velocities.row(v).allFinite())
            throw Divergence(v, state.time);
}

Forces Solver::external_forces(const ClothState& state) const {
    Forces forces = Forces::Zero(model_.vertex_count(), 3);
    for (const auto& force : forces_) force->add_to(forces, state);
    return forces;
}

Positions Solver::inertial_positions(const ClothState& state, double dt) const {
    const Forces forces = external_forces(state);
    const double kept = std::exp(-world_.drag_rate * dt);
    Positions inertial(model_.vertex_count(), 3);
    parallel_for(inertial.rows(), [&](long v) {
        inertial.row(v) =
            state.positions.row(v) + dt * kept * state.velocities.row(v) + dt * dt * inverse_masses_(v) * forces.row(v);
    });
    model_.place_pins(state.time + dt, inertial);
    return inertial;
}

Positions Solver::coasting_positions(const ClothState& state, const Positions& inertial, double dt) const {
    const double kept = std::exp(-world_.drag_rate * dt);
    Vector3 moment = Vector3::Zero();  // [kg m]
    double mass = 0;                   // [kg]
    for (long v = 0; v < inertial.rows(); ++v) {
        if (pinned_[static_cast<size_t>(v)]) continue;
        const auto pushed = inertial.row(v) - state.positions.row(v) - dt * kept * state.velocities.row(v);
        moment += model_.masses(v) * pushed.transpose();
        mass += model_.masses(v);
    }
    if (mass == 0) return inertial;
    Positions coasting = inertial;
    for (long v = 0; v < inertial.rows(); ++v)
        if (!pinned_[static_cast<size_t>(v)]) coasting.row(v) -= moment.transpose() / mass;
    return coasting;
}

void Solver::complete(ClothState& state, Positions positions, double dt, StepReport& report) {
    state.velocities = (positions - state.positions) / dt;
    if (contacts_.is_needed()) {
        if (!positions.allFinite()) {  // nothing can be said about contacts of what is nowhere
            state.positions = positions;
            require_finite(state);
        }
        const collision::ContactReport contact = contacts_.apply(
            {.start = state.positions, .end = positions, .velocities = state.velocities, .time = state.time, .dt = dt});
        report.counters.add("truncated_vertices", contact.truncated_vertices);
        report.counters.add("unresolved_contacts", contact.unresolved);
        accumulate(report.stages, contact.stages);
    }
    state.positions = std::move(positions);
    state.time += dt;
    require_finite(state);
}

std::string method_name(const SolverSettings& settings) {
    return std::visit(
        Overload{[](const ProjectiveDynamicsSettings&) { return "admm"; },
                 [](const ImplicitEulerSettings&) { return "implicit_cg"; },
                 [](const MassSpringSettings&) { return "mass_spring"; }, [](const XpbdSettings&) { return "xpbd"; },
                 [](const NewtonSettings&) { return "newton"; }},
        settings);
}

std::unique_ptr<Stepper> make_solver(const ClothModel& model, const World& world, const SolverSettings& settings) {
    return make_solver(model, world, make_forces(world, model), settings);
}

std::unique_ptr<Stepper> make_solver(const ClothModel& model, const World& world, ForceList forces,
                                     const SolverSettings& settings) {
    using Made = std::unique_ptr<Stepper>;
    return std::visit(
        Overload{
            [&](const ProjectiveDynamicsSettings& s) -> Made {
                return make_projective_dynamics(model, world, std::move(forces), s);
            },
            [&](const ImplicitEulerSettings& s) -> Made {
                return std::make_unique<ImplicitEuler>(model, world, std::move(forces), s);
            },
            [&](const MassSpringSettings& s) -> Made { return make_mass_spring(model, world, std::move(forces), s); },
            [&](const XpbdSettings& s) -> Made { return std::make_unique<Xpbd>(model, world, std::move(forces), s); },
            [&](const NewtonSettings& s) -> Made {
                return std::make_unique<Newton>(model, world, std::move(forces), s);
            }},
        settings);
}

}  // namespace tulle::physics
