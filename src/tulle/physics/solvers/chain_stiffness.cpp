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
      by_(static_cast<size_t>(inverse_masses.size()), Eigen::Matrix3d::Zero()) {
    std::vector<std::vector<int>> of_vertex(by_.size());
    for (int e = 0; e < static_cast<int>(springs_.count()); ++e)
        for (const int v : springs_.edges.row(e)) of_vertex[static_cast<size_t>(v)].push_back(e);
    first_spring_.push_back(0);
    for (const std::vector<int>& springs : of_vertex) {
        spring_of_.insert(spring_of_.end(), springs.begin(), springs.end());
        first_spring_.push_back(static_cast<int>(spring_of_.size()));
    }
}

void ChainStiffness::look(const Positions& positions, double dt) {
    const VectorX stiffness = effective_stiffness(springs_, dt);
    const auto inertia = [&](int v) { return 1 / (inverse_masses_(v) * dt * dt); };
    parallel_for(static_cast<long>(by_.size()), [&](long vertex) {
        const int v = static_cast<int>(vertex);
        Eigen::Matrix3d& by = by_[static_cast<size_t>(v)];
        if (inverse_masses_(v) == 0) return;
        by = inertia(v) * Eigen::Matrix3d::Identity();
        for (int i = first_spring_[static_cast<size_t>(v)]; i < first_spring_[static_cast<size_t>(v) + 1]; ++i) {
            const int e = spring_of_[static_cast<size_t>(i)];
            const int next = springs_.edges(e, 0) == v ? springs_.edges(e, 1) : springs_.edges(e, 0);
            const Vector3 along = (positions.row(v) - positions.row(next)).transpose().stableNormalized();
            const double held = inverse_masses_(next) == 0 ? stiffness(e) : resistance(stiffness(e), inertia(next));
            by += held * along * along.transpose();
        }
    });
}

double ChainStiffness::give(int vertex, const Vector3& direction) const {
    if (inverse_masses_(vertex) == 0) return 0;
    return 1 / direction.dot(by_[static_cast<size_t>(vertex)] * direction);
}

}  // namespace tulle::physics
