// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/mass_spring_reference.h"

#include "tulle/core/parallel.h"

#include <cmath>

namespace tulle::physics {

MassSpringReference::MassSpringReference(const ClothModel& model, const World& world, ForceList forces,
                                         std::string note)
    : Solver(model, world, std::move(forces)), note_(std::move(note)), springs_(model) {}

void MassSpringReference::step(ClothState& state, double dt, StepReport& report) {
    Stopwatch watch;
    const Forces forces = external_forces(state) + springs_.at(state);
    report.stages["forces"] += watch.lap();
    const double kept = std::exp(-world_.drag_rate * dt);
    Positions positions(model_.vertex_count(), 3);
    parallel_for(positions.rows(), [&](long v) {
        // equation 5 as the published scripts have it, drag last: v ← (v + Δt f/m) e^(−dΔt), then x ← x + Δt v
        positions.row(v) =
            state.positions.row(v) + dt * kept * (state.velocities.row(v) + dt * inverse_masses_(v) * forces.row(v));
    });
    model_.place_pins(state.time + dt, positions);
    report.stages["move"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

}  // namespace tulle::physics
