// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/active_system.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tulle::projections {

namespace {

constexpr double rho = 1e5;         // relative to the mean stiffness, which is one
constexpr int most_solves = 40;     // with one factor
constexpr int most_settlings = 32;  // constraints taken out, one after the other

// Nᵀ p: how fast each constraint grows with a motion of the vertices.
VectorX growth(std::span<const ActiveConstraint> active, const Positions& motion) {
    VectorX rates(static_cast<long>(active.size()));
    for (size_t c = 0; c < active.size(); ++c) {
        Vector3 d = motion.row(active[c].a);
        if (active[c].b >= 0) d -= motion.row(active[c].b);
        rates(static_cast<long>(c)) = active[c].direction.dot(d);
    }
    return rates;
}

Positions solve_rows(const numerics::DoubleCholesky& factor, const Positions& rows) {
    const VectorX solved = factor.solve(VectorX(Eigen::Map<const VectorX>(rows.data(), rows.size())));
    return Eigen::Map<const Positions>(solved.data(), rows.rows(), 3);
}

}  // namespace

ActiveSystem::ActiveSystem(const Edges& edges, VectorX stiffness, std::vector<bool> fixed)
    : pattern_(stiffness.size(), edges), stiffness_(std::move(stiffness)), fixed_(std::move(fixed)) {}

FactorPool::Loan ActiveSystem::factor(std::span<const ActiveConstraint> active) const {
    BlockMatrix matrix(pattern_);
    for (long v = 0; v < stiffness_.size(); ++v)
        matrix.diagonal[static_cast<size_t>(v)].diagonal().setConstant(stiffness_(v));
    for (const ActiveConstraint& c : active) {
        const double across = c.length > 0 ? c.multiplier / c.length : 0;
        const Matrix3 block = across * Matrix3::Identity() + (rho - across) * c.direction * c.direction.transpose();
        matrix.diagonal[static_cast<size_t>(c.a)] += block;
        if (c.b < 0) continue;
        matrix.diagonal[static_cast<size_t>(c.b)] += block;
        matrix.between[static_cast<size_t>(pattern_.find(c.a, c.b))] -= block;
    }
    return factors_.factor(lower_half(pattern_, matrix, fixed_));
}

// N q, zero where fixed.
Positions ActiveSystem::spread(std::span<const ActiveConstraint> active, const VectorX& along) const {
    Positions sum = Positions::Zero(stiffness_.size(), 3);
    for (size_t c = 0; c < active.size(); ++c) {
        const Eigen::RowVector3d pull = along(static_cast<long>(c)) * active[c].direction.transpose();
        sum.row(active[c].a) += pull;
        if (active[c].b >= 0) sum.row(active[c].b) -= pull;
    }
    hold(sum);
    return sum;
}

void ActiveSystem::hold(Positions& rows) const {
    for (long v = 0; v < rows.rows(); ++v)
        if (fixed_[static_cast<size_t>(v)]) rows.row(v).setZero();
}

// Takes one dependent constraint out, if there is one: multipliers move along a self-stress z (N z = 0), which changes
// no force, towards a larger Σ λ/|d|, the stiffness across edges, until the first of them is zero.
bool ActiveSystem::settle(std::vector<ActiveConstraint>& active, const numerics::DoubleCholesky& factor,
                          bool& singular) const {
    VectorX z(static_cast<long>(active.size()));
    for (size_t c = 0; c < active.size(); ++c)
        z(static_cast<long>(c)) = active[c].length > 0 ? 1 / active[c].length : 0;
    const double start = z.norm();
    // z ← z − ρNᵀ(M + ρNNᵀ)⁻¹N z leaves what N sends to zero and shrinks the rest.
    constexpr double small = 1e-4;
    for (int i = 0; i < 8 && z.norm() > small * start; ++i)
        z -= rho * growth(active, solve_rows(factor, spread(active, z)));
    if (!(z.norm() > small * start)) return false;
    singular = true;
    std::optional<size_t> first;
    double farthest = 0;
    for (size_t c = 0; c < active.size(); ++c) {
        const double rate = z(static_cast<long>(c));
        if (active[c].multiplier <= 0 || rate >= -1e-6 * z.cwiseAbs().maxCoeff()) continue;
        const double reach = -active[c].multiplier / rate;
        if (first && reach >= farthest) continue;
        first = c;
        farthest = reach;
    }
    if (!first) return false;
    for (size_t c = 0; c < active.size(); ++c)
        if (active[c].multiplier > 0) active[c].multiplier += farthest * z(static_cast<long>(c));
    active.erase(active.begin() + static_cast<long>(*first));
    return true;
}

Saddle ActiveSystem::solve(std::vector<ActiveConstraint>& active, const Positions& pull, bool& singular) const {
    std::optional<FactorPool::Loan> loan;
    loan.emplace(factor(active));
    for (int i = 0; i < most_settlings && settle(active, **loan, singular); ++i) {
        loan.reset();
        loan.emplace(factor(active));
    }
    Positions held = pull;
    hold(held);
    Saddle saddle{Positions(), VectorX::Zero(static_cast<long>(active.size()))};
    for (int i = 0; i < most_solves; ++i) {
        saddle.motion = solve_rows(**loan, held - spread(active, saddle.along));
        const VectorX rates = growth(active, saddle.motion);
        const double size = saddle.motion.norm();
        saddle.residual = size > 0 ? rates.norm() / size : 0;
        if (saddle.residual < 1e-12) break;
        saddle.along += rho * rates;
    }
    return saddle;
}

Positions ActiveSystem::forces_on_fixed(std::span<const ActiveConstraint> active, const Saddle& saddle) const {
    Positions forces = Positions::Zero(stiffness_.size(), 3);
    for (size_t c = 0; c < active.size(); ++c) {
        const ActiveConstraint& one = active[c];
        if (one.b < 0) continue;  // planes at fixed vertices hold nothing
        const Vector3 d = saddle.motion.row(one.a) - saddle.motion.row(one.b);
        const double across = one.length > 0 ? one.multiplier / one.length : 0;
        const Vector3 force =
            across * (d - one.direction.dot(d) * one.direction) + saddle.along(static_cast<long>(c)) * one.direction;
        forces.row(one.a) += force.transpose();
        forces.row(one.b) -= force.transpose();
    }
    for (long v = 0; v < forces.rows(); ++v)
        if (!fixed_[static_cast<size_t>(v)]) forces.row(v).setZero();
    return forces;
}

}  // namespace tulle::projections
