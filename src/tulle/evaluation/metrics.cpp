// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/metrics.h"

#include "tulle/physics/energies/bending.h"
#include "tulle/physics/energies/spring.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tulle::evaluation {

double DistanceStatistics::add(const Positions& positions, const Positions& reference) {
    assert(positions.rows() == reference.rows());
    const VectorX apart = (positions - reference).rowwise().norm();
    for (const double distance : apart) distances_.add(distance);
    return apart.mean();
}

DistanceSummary DistanceStatistics::summary() const {
    return {.mean = distances_.mean(), .p95 = distances_.percentile(0.95), .max = distances_.max()};
}

VectorX normal_angles(const Positions& positions, const Positions& reference, const Triangles& triangles) {
    const Positions normals = geometry::vertex_normals(positions, triangles);
    const Positions wanted = geometry::vertex_normals(reference, triangles);
    VectorX angles(normals.rows());
    for (long v = 0; v < normals.rows(); ++v) {
        // Exact for small angles too, where an arc cosine is not.
        const double apart = (normals.row(v) - wanted.row(v)).norm();
        const double together = (normals.row(v) + wanted.row(v)).norm();
        angles(v) = 2 * std::atan2(apart, together);
    }
    return angles;
}

DeformationMeter::DeformationMeter(const physics::ClothModel& model) : model_(model) {
    const Edges& edges = model.springs.edges;
    roles_.assign(static_cast<size_t>(edges.rows()), Role::Structural);
    if (!model.grid) return;
    const int columns = model.grid->columns;
    for (long e = 0; e < edges.rows(); ++e) {
        const int rows_apart = std::abs(edges(e, 0) / columns - edges(e, 1) / columns);
        const int columns_apart = std::abs(edges(e, 0) % columns - edges(e, 1) % columns);
        if (std::max(rows_apart, columns_apart) > 1)
            roles_[static_cast<size_t>(e)] = Role::Bend;
        else if (rows_apart + columns_apart > 1)
            roles_[static_cast<size_t>(e)] = Role::Shear;
    }
}

Deformation DeformationMeter::measure(const Positions& positions) const {
    const physics::Springs& springs = model_.springs;
    Deformation result{.bending_energy = physics::bending_energy(model_.hinges, positions), .strains = {}};
    for (long e = 0; e < springs.count(); ++e) {
        const Vector3 d = positions.row(springs.edges(e, 0)) - positions.row(springs.edges(e, 1));
        const double energy = physics::spring_energy({springs.rest_lengths(e), springs.stiffness(e)}, d);
        const Role role = roles_[static_cast<size_t>(e)];
        (role == Role::Bend ? result.bending_energy : result.stretch_energy) += energy;
        if (role != Role::Structural) continue;
        const double stretch = d.norm() / springs.rest_lengths(e);
        result.max_stretch = std::max(result.max_stretch, stretch);
        result.strains.push_back(std::abs(stretch - 1));
    }
    return result;
}

int tip_of(const physics::ClothModel& model) {
    const Positions& rest = model.mesh.positions;
    VectorX distances = (rest.rowwise() - rest.colwise().mean()).rowwise().norm();
    if (!model.pins.empty()) distances.setConstant(std::numeric_limits<double>::infinity());
    for (const physics::PinGroup& group : model.pins)
        for (const int pin : group.vertices)
            distances = distances.cwiseMin((rest.rowwise() - rest.row(pin)).rowwise().norm());
    long tip = 0;
    distances.maxCoeff(&tip);
    return static_cast<int>(tip);
}

}  // namespace tulle::evaluation
