// SPDX-License-Identifier: Apache-2.0
// The optimality system of edge limits at a solution, for those constraints that hold with equality. Its differential
// [Geng, Johnson, Fedkiw 2020, equations 7 and 25] is
//
//     M dr + N dλ = K dr̂,   Nᵀ dr = 0,      M = K + Σ λ/|d| Dᵀ(I − n nᵀ)D,   N = [Dᵀ n …],
//
// of which the paper's cone form eliminates to. N may have dependent columns (its figure 11); dr is the only one even
// then.
#pragma once

#include "tulle/projections/block_matrix.h"

#include <span>

namespace tulle::projections {

// A constraint that holds: D r along n. D r = r_a − r_b, or r_a for a plane.
struct ActiveConstraint {
    int a = 0, b = -1;      // ends; b = -1: a plane
    Vector3 direction;      // n, unit
    double multiplier = 0;  // λ along n; negative where an edge is at its lower limit
    double length = 0;      // |D r| [m]; 0 for a plane, which does not turn
};

struct Saddle {
    Positions motion;     // |V|×3 p, zero where fixed
    VectorX along;        // q of each constraint
    double residual = 0;  // ‖Nᵀp‖ relative to ‖p‖
};

class ActiveSystem {
public:
    // `stiffness`: |V| k. Fixed vertices do not vary.
    ActiveSystem(const Edges& edges, VectorX stiffness, std::vector<bool> fixed);

    // Solves M p + N q = f, Nᵀ p = 0 by the method of multipliers [Bertsekas 1982]: M + ρNNᵀ is positive definite even
    // where N has dependent columns, and a few solves with it remove what ρ leaves of Nᵀ p. Where the multipliers of
    // dependent constraints could be others, they are first changed to those that hold the cloth in place the most,
    // which are those of a slightly moved input; `singular` says whether there were any. Throws an Error if the matrix
    // is not positive definite.
    Saddle solve(std::vector<ActiveConstraint>& active, const Positions& pull, bool& singular) const;

    // The forces M p + N q on fixed vertices, whose own rows the system leaves out.
    Positions forces_on_fixed(std::span<const ActiveConstraint> active, const Saddle& saddle) const;

private:
    FactorPool::Loan factor(std::span<const ActiveConstraint> active) const;
    Positions spread(std::span<const ActiveConstraint> active, const VectorX& along) const;
    void hold(Positions& rows) const;
    bool settle(std::vector<ActiveConstraint>& active, const numerics::DoubleCholesky& factor, bool& singular) const;

    BlockPattern pattern_;
    VectorX stiffness_;
    std::vector<bool> fixed_;
    mutable FactorPool factors_;
};

}  // namespace tulle::projections
