// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/spring_forces.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/energies/bending.h"

#include <algorithm>

namespace tulle::physics {

SpringForces::SpringForces(const ClothModel& model)
    : model_(model),
      springs_around_(model.springs.edges, model.vertex_count()),
      bending_(bending_matrix(model.hinges, model.vertex_count())) {}

// Equations 1 and 2 of the force-cell paper: each spring pulls by k(ℓ − L), and its dashpot by c times the rate at
// which it lengthens.
Forces SpringForces::at(const ClothState& state) const {
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
