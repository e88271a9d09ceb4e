// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/mass_spring_reference.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/energies/bending.h"

#include <cmath>

namespace tulle::physics {

MassSpringReference::MassSpringReference(const ClothModel& model, const World& world, ForceList forces,
                                         std::string note)
    : Solver(model, world, std::move(forces)),
      note_(std::move(note)),
      springs_around_(model.springs.edges, model.vertex_count()),
      bending_(bending_matrix(model.hinges, model.vertex_count())) {}

void MassSpringReference::step(ClothState& state, double dt, StepReport& report) {
    Stopwatch watch;
    const Forces forces = external_forces(state) + inner_forces(state);
    report.stages["forces"] += watch.lap();
    const double kept = std::exp(-world_.drag_rate * dt);
    Positions positions(model_.vertex_count(), 3);
    parallel_for(positions.rows(), [&](long v) {
        // equation 5: v ← v e^(−dΔt) + Δt f/m, then x ← x + Δt v
        positions.row(v) =
            state.positions.row(v) + dt * (kept * state.velocities.row(v) + dt * inverse_masses_(v) * forces.row(v));
    });
    model_.place_pins(state.time + dt, positions);
    report.stages["move"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

// Equations 1 and 2: each spring pulls by k(ℓ − L), and its dashpot by c times the rate at which it lengthens.
Forces MassSpringReference::inner_forces(const ClothState& state) const {
    const Springs& springs = model_.springs;
    Forces pulls(springs.count(), 3);
    parallel_for(springs.count(), [&](long e) {
        const int a = springs.edges(e, 0), b = springs.edges(e, 1);
        const Vector3 d = state.positions.row(b) - state.positions.row(a);
        const Vector3 rate = state.velocities.row(b) - state.velocities.row(a);
        const double length = std::max(d.norm(), 1e-30);
        const Vector3 n = d / length;
        pulls.row(e) =
            (springs.stiffness(e) * (length - springs.rest_lengths(e)) + springs.damping(e) * n.dot(rate)) * n;
    });
    Forces forces = -bending_ * state.positions;
    parallel_for(forces.rows(), [&](long v) {
        for (const auto& [spring, corner] : springs_around_.around(v))
            forces.row(v) += (corner == 0 ? 1 : -1) * pulls.row(spring);
    });
    return forces;
}

}  // namespace tulle::physics
