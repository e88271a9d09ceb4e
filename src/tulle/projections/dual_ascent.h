// SPDX-License-Identifier: Apache-2.0
// Nearest positions whose edges are short enough, by ascent of the dual problem. With K = diag(k) and one multiplier
// λ ∈ R³ for each edge (Dr = r_a − r_b, c its limit),
//
//     min ½‖r − r̂‖²_K  s.t. |D r| ≤ c      =      max  λ·D r̂ − ½‖Dᵀλ‖²_{K⁻¹} − Σ c|λ|,      r = r̂ − K⁻¹Dᵀλ,
//
// whose smooth part has the gradient D r and whose last term shrinks λ towards zero: proximal gradient steps with
// Nesterov's momentum [Beck and Teboulle 2009] that starts again whenever it leads away [O'Donoghue and Candès 2015].
// Any λ is admissible in the dual problem, so the duality gap at (r, λ) is Σ c|λ| − λ·D r: known in every iteration.
#pragma once

#include "tulle/projections/ascent_layout.h"
#include "tulle/projections/dual_ascent_kernel.h"

namespace tulle::projections {

using Multipliers = Rows<double, 4>;  // one row a constraint; the fourth number is zero

struct AscentSettings {
    double gap = 1e-6;        // duality gap relative to the objective
    double violation = 1e-6;  // largest, relative to the rest lengths
    int max_iterations = 20'000;
};

// Where an ascent is: it can be left and gone on with.
struct AscentState {
    Multipliers multipliers;  // λ
    Multipliers leads;        // y
    double momentum = 1;      // Nesterov's t
};

// Directions n and lengths b of half-spaces n·d ≥ b that edges must lie in, beside their upper limits.
struct LowerLimits {
    Positions directions;  // |E|×3, unit
    VectorX lengths;       // |E| [m]
};

struct AscentProblem {
    const Positions& targets;  // |V|×3 r̂
    const VectorX& limits;     // |E| c [m]
    const VectorX& lengths;    // |E| what violations are measured by [m]
    std::span<const ContactPlane> planes = {};
    double plane_length = 1;             // what violations of planes are measured by [m]
    const LowerLimits* lower = nullptr;  // none: edges may be compressed as they like
    const AscentState* start = nullptr;  // none: zero
};

struct [[nodiscard]] AscentSolution {
    Positions positions;  // |V|×3 r
    AscentState state;    // a row for each edge, then for each plane; λ is exactly zero where a constraint is slack
    int iterations = 0;
    double objective = 0;  // ½‖r − r̂‖²_K
    double gap = 0;        // relative to the objective
    double violation = 0;
    bool converged = false;
};

// The layout must have been made for the planes of the problem.
AscentSolution ascend_dual(const AscentLayout& layout, const AscentProblem& problem, const AscentSettings& settings,
                           const AscentKernels& kernels = ascent_kernels());

}  // namespace tulle::projections
