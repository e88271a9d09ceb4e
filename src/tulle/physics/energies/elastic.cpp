// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/energies/elastic.h"

#include "tulle/physics/energies/bending.h"
#include "tulle/physics/energies/spring.h"

namespace tulle::physics {

namespace {

Vector3 difference(const Springs& springs, const Positions& positions, long e) {
    return positions.row(springs.edges(e, 0)) - positions.row(springs.edges(e, 1));
}

}  // namespace

double elastic_energy(const ClothModel& model, const Positions& positions) {
    double energy = bending_energy(model.hinges, positions);
    const Springs& springs = model.springs;
    for (long e = 0; e < springs.count(); ++e)
        energy += spring_energy({springs.rest_lengths(e), springs.stiffness(e)}, difference(springs, positions, e));
    return energy;
}

Forces elastic_forces(const ClothModel& model, const Positions& positions) {
    Forces forces = -bending_matrix(model.hinges, model.vertex_count()) * positions;
    const Springs& springs = model.springs;
    for (long e = 0; e < springs.count(); ++e) {
        const Vector3 pull =
            spring_gradient({springs.rest_lengths(e), springs.stiffness(e)}, difference(springs, positions, e));
        forces.row(springs.edges(e, 0)) -= pull;
        forces.row(springs.edges(e, 1)) += pull;
    }
    return forces;
}

double kinetic_energy(const ClothModel& model, const Velocities& velocities) {
    return 0.5 * model.masses.dot(velocities.rowwise().squaredNorm());
}

}  // namespace tulle::physics
