// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/step_objective.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/damped_springs.h"
#include "tulle/physics/energies/bending.h"
#include "tulle/physics/energies/spring.h"

#include <cmath>

namespace tulle::physics {

numerics::SparseMatrix system_matrix(const ClothModel& model, double dt) {
    return system_matrix(model, dt, effective_stiffness(model.springs, dt));
}

numerics::SparseMatrix system_matrix(const ClothModel& model, double dt, const VectorX& weights) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<size_t>(model.vertex_count() + 4 * model.springs.count()));
    for (int v = 0; v < model.vertex_count(); ++v) entries.emplace_back(v, v, model.masses(v));
    for (long e = 0; e < model.springs.count(); ++e) {
        const int a = model.springs.edges(e, 0), b = model.springs.edges(e, 1);
        const double weight = dt * dt * weights(e);
        entries.emplace_back(a, a, weight);
        entries.emplace_back(b, b, weight);
        entries.emplace_back(a, b, -weight);
        entries.emplace_back(b, a, -weight);
    }
    numerics::SparseMatrix matrix(model.vertex_count(), model.vertex_count());
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (model.hinges.count() > 0) matrix += dt * dt * bending_matrix(model.hinges, model.vertex_count());
    return matrix;
}

numerics::SparseMatrix hold_pins(const numerics::SparseMatrix& matrix, const std::vector<bool>& pinned) {
    numerics::SparseMatrix held = matrix;
    held.prune([&](long row, long column, double) {
        return row == column || !(pinned[static_cast<size_t>(row)] || pinned[static_cast<size_t>(column)]);
    });
    for (int v = 0; v < held.rows(); ++v)
        if (pinned[static_cast<size_t>(v)]) held.coeffRef(v, v) = 1;
    return held;
}

StepObjective::StepObjective(const ClothModel& model, double dt)
    : model_(model),
      dt_(dt),
      pinned_(model.pinned()),
      stiffness_(effective_stiffness(model.springs, dt)),
      bending_(bending_matrix(model.hinges, model.vertex_count())),
      springs_around_(model.springs.edges, model.vertex_count()) {}

void StepObjective::begin(Positions inertial, VectorX rest_lengths) {
    inertial_ = std::move(inertial);
    rest_lengths_ = std::move(rest_lengths);
}

double StepObjective::value(const Positions& x) const {
    const double inertia = parallel_sum(
        x.rows(), [&](long v) { return 0.5 * model_.masses(v) * (x.row(v) - inertial_.row(v)).squaredNorm(); });
    const double springs = parallel_sum(model_.springs.count(), [&](long e) {
        return spring_energy({rest_lengths_(e), stiffness_(e)}, difference(x, e));
    });
    return inertia + dt_ * dt_ * (springs + bending_energy(model_.hinges, x));
}

Forces StepObjective::assemble(const Positions& inertia, const Positions& bent, const Forces& pulls) const {
    Forces sum = Forces::Zero(bent.rows(), 3);
    if (model_.hinges.count() > 0) sum = bending_ * bent;
    parallel_for(sum.rows(), [&](long v) {
        if (pinned_[static_cast<size_t>(v)]) {
            sum.row(v).setZero();
            return;
        }
        for (const auto& [spring, corner] : springs_around_.around(v))
            sum.row(v) += (corner == 0 ? 1 : -1) * pulls.row(spring);
        sum.row(v) = model_.masses(v) * inertia.row(v) + dt_ * dt_ * sum.row(v);
    });
    return sum;
}

Forces StepObjective::gradient(const Positions& x) const {
    Forces pulls(model_.springs.count(), 3);
    parallel_for(pulls.rows(), [&](long e) {
        pulls.row(e) = spring_gradient({rest_lengths_(e), stiffness_(e)}, difference(x, e));
    });
    return assemble(x - inertial_, x, pulls);
}

void StepObjective::linearise(const Positions& x, Curvature curvature) {
    hessians_.resize(static_cast<size_t>(model_.springs.count()));
    parallel_for(model_.springs.count(), [&](long e) {
        const Vector3 d = difference(x, e);
        const double length = d.norm();
        const double k = stiffness_(e);
        const double across = length > 0 ? k * (1 - rest_lengths_(e) / length) : k;
        const bool compressed = across < 0 && curvature == Curvature::Projected;
        hessians_[static_cast<size_t>(e)] = {length > 0 ? Vector3(d / length) : Vector3::UnitX(),
                                             compressed ? 0 : across, k};
    });
}

Positions StepObjective::apply_hessian(const Positions& direction) const {
    Positions pulls(model_.springs.count(), 3);
    parallel_for(pulls.rows(),
                 [&](long e) { pulls.row(e) = hessians_[static_cast<size_t>(e)] * difference(direction, e); });
    return assemble(direction, direction, pulls);
}

Rows<double, 9> StepObjective::hessian_diagonals() const {
    const VectorX bending_diagonal = bending_.diagonal();
    Rows<double, 9> blocks(model_.vertex_count(), 9);
    parallel_for(blocks.rows(), [&](long v) {
        Matrix3 block = Matrix3::Identity();
        if (!pinned_[static_cast<size_t>(v)]) {
            Matrix3 stiffness = bending_diagonal(v) * Matrix3::Identity();
            for (const auto& [spring, corner] : springs_around_.around(v)) {
                const auto& [n, across, along] = hessians_[static_cast<size_t>(spring)];
                stiffness += across * Matrix3::Identity() + (along - across) * n * n.transpose();
            }
            block = model_.masses(v) * Matrix3::Identity() + dt_ * dt_ * stiffness;
        }
        blocks.row(v) = Eigen::Map<const Eigen::Matrix<double, 1, 9>>(block.data());
    });
    return blocks;
}

}  // namespace tulle::physics
