// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/chain_stiffness.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/damped_springs.h"

#include <cmath>

namespace tulle::physics {

namespace {

// The s of the class's equation, from stiffness k and inertia m/Δt² [N/m].
double resistance(double stiffness, double inertia) {
    return 0.5 * (std::sqrt(inertia * inertia + 4 * stiffness * inertia) - inertia);
}

}  // namespace

ChainStiffness::ChainStiffness(const ClothModel& model, const VectorX& inverse_masses)
    : springs_(model.springs),
      inverse_masses_(inverse_masses),
      along_(springs_.count(), 3),
      resistance_(springs_.count(), 2) {
    std::vector<std::vector<int>> of_vertex(static_cast<size_t>(inverse_masses.size()));
    for (int e = 0; e < static_cast<int>(springs_.count()); ++e)
        for (const int v : springs_.edges.row(e)) of_vertex[static_cast<size_t>(v)].push_back(e);
    first_spring_.push_back(0);
    for (const std::vector<int>& springs : of_vertex) {
        spring_of_.insert(spring_of_.end(), springs.begin(), springs.end());
        first_spring_.push_back(static_cast<int>(spring_of_.size()));
    }
}

void ChainStiffness::look(const Positions& positions, double dt) {
    dt_ = dt;
    const VectorX stiffness = effective_stiffness(springs_, dt);
    parallel_for(springs_.count(), [&](long e) {
        const Vector3 way = positions.row(springs_.edges(e, 0)) - positions.row(springs_.edges(e, 1));
        along_.row(e) = way.stableNormalized().transpose();
        for (int k = 0; k < 2; ++k) {
            const double inverse_mass = inverse_masses_(springs_.edges(e, k));
            resistance_(e, k) =
                inverse_mass == 0 ? stiffness(e) : resistance(stiffness(e), 1 / (inverse_mass * dt * dt));
        }
    });
}

double ChainStiffness::give(int vertex, const Vector3& direction, const Positions& pressed) const {
    if (inverse_masses_(vertex) == 0) return 0;
    double held = 1 / (inverse_masses_(vertex) * dt_ * dt_);
    for (int i = first_spring_[static_cast<size_t>(vertex)]; i < first_spring_[static_cast<size_t>(vertex) + 1]; ++i) {
        const int e = spring_of_[static_cast<size_t>(i)];
        const int other = springs_.edges(e, 0) == vertex ? 1 : 0;
        const double part = along_.row(e).dot(direction.transpose() - pressed.row(springs_.edges(e, other)));
        held += part * part * resistance_(e, other);
    }
    return 1 / held;
}

}  // namespace tulle::physics
