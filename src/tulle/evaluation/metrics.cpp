// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/metrics.h"

#include "tulle/physics/energies/bending.h"
#include "tulle/physics/energies/spring.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::evaluation {

double DistanceStatistics::add(const Positions& positions, const Positions& reference) {
    assert(positions.rows() == reference.rows());
    double sum = 0;
    for (long v = 0; v < positions.rows(); ++v) {
        const double distance = (positions.row(v) - reference.row(v)).norm();
        count(distance);
        sum += distance;
    }
    sum_ += sum;
    return sum / static_cast<double>(positions.rows());
}

void DistanceStatistics::count(double distance) {
    const double octave = distance > 0 ? std::log2(distance) - lowest_octave : 0;
    const auto bin = static_cast<long>(octave * bins_per_octave);
    ++bins_[static_cast<size_t>(std::clamp(bin, 0L, static_cast<long>(bins_.size()) - 1))];
    ++count_;
    max_ = std::max(max_, distance);
}

double DistanceStatistics::percentile(double share) const {
    const auto rank = static_cast<long>(std::ceil(share * static_cast<double>(count_)));
    long seen = 0;
    size_t bin = 0;
    while (bin + 1 < bins_.size() && (seen += bins_[bin]) < rank) ++bin;
    if (bin == 0) return 0;
    const double middle = (static_cast<double>(bin) + 0.5) / bins_per_octave + lowest_octave;
    return std::min(std::exp2(middle), max_);
}

DistanceSummary DistanceStatistics::summary() const {
    if (count_ == 0) return {};
    return {.mean = sum_ / static_cast<double>(count_), .p95 = percentile(0.95), .max = max_};
}

double mean_normal_angle(const Positions& positions, const Positions& reference, const Triangles& triangles) {
    const Positions normals = geometry::vertex_normals(positions, triangles);
    const Positions wanted = geometry::vertex_normals(reference, triangles);
    double sum = 0;
    for (long v = 0; v < normals.rows(); ++v) {
        // Exact for small angles too, where an arc cosine is not.
        const double apart = (normals.row(v) - wanted.row(v)).norm();
        const double together = (normals.row(v) + wanted.row(v)).norm();
        sum += 2 * std::atan2(apart, together);
    }
    return sum / static_cast<double>(normals.rows());
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
    Deformation result{.bending_energy = physics::bending_energy(model_.hinges, positions)};
    for (long e = 0; e < springs.count(); ++e) {
        const Vector3 d = positions.row(springs.edges(e, 0)) - positions.row(springs.edges(e, 1));
        const double energy = physics::spring_energy({springs.rest_lengths(e), springs.stiffness(e)}, d);
        const Role role = roles_[static_cast<size_t>(e)];
        (role == Role::Bend ? result.bending_energy : result.stretch_energy) += energy;
        if (role == Role::Structural)
            result.max_stretch = std::max(result.max_stretch, d.norm() / springs.rest_lengths(e));
    }
    return result;
}

void Unrest::add(const Positions& positions) {
    if (frames_ >= 2) sum_ += (positions - 2 * last_[1] + last_[0]).rowwise().norm().mean();
    last_[0] = std::move(last_[1]);
    last_[1] = positions;
    ++frames_;
}

std::optional<double> Unrest::mean() const {
    if (frames_ < 3) return {};
    return sum_ / static_cast<double>(frames_ - 2);
}

}  // namespace tulle::evaluation
