// SPDX-License-Identifier: Apache-2.0
// A force cell that advances k of its small steps at once. It looks at the forces once a step and hands their impulses
// through a learnt linear layer before they act:
//
//   J = H [ p(S) + N r(S) N ] a        a = the cell's accelerations and those from outside, H = k Δt
//   w ← eᵏ w + ē J,  x ← x + H w       w = mean velocity of the step before, e = exp(−d Δt), ē = mean of e … eᵏ
//
// S is a Laplacian of the grid (box_laplacian.h). Explicit steps are stable while H² times the stiffness of every mode
// is below 4. A spring is never stiffer than its stiffness in all directions, so a low-pass p that keeps
// H² κ p below 4 for every wave, κ being its stiffness if springs pulled alike in all directions, keeps any cloth
// stable however it is bent: in effect it makes short waves heavier. But across the cloth there is next to no
// stiffness, and short waves need not be heavy there. Hence r, which gives their impulses back along the normal n: N =
// g n nᵀ, where the gate g closes as springs grow long, which stiffens the cloth across, or as it folds.
//
// Both polynomials are learnt (large_step_fit.h). The layer is symmetric: with constant normals and gates it is a
// leapfrog in a system with other masses, which neither gains nor loses energy. What r gives back along normals that
// differ does not add up to nothing, so in a cloth that nothing holds the gates stay closed: it keeps its momentum
// exactly.
#pragma once

#include "tulle/methods/force_cell/force_cell.h"

#include <vector>

namespace tulle::methods {

struct LargeStep {
    int steps = 1;         // k
    double time_step = 0;  // H [s] it was taught
    VectorX all_ways;      // p, coefficients of Tⱼ(1 − 2s); p(0) = 1
    VectorX across;        // r, likewise; r(0) = 0
};

// The gate is open where m is below the first and closed above the second; m is the largest (|d|² + 3 (d·n)²) / L² of
// the differences d to the four nearest neighbours.
inline constexpr double gate_opens = 1.5, gate_closes = 2.0;
inline constexpr double gate_fold_weight = 3;

double polynomial_at(const VectorX& coefficients, double s);  // Σ cⱼ Tⱼ(1 − 2s)

// The springs of a cloth and the mass that all its vertices share.
struct LargeStepMaterial {
    physics::StencilMaterial springs;
    double mass = 1;  // [kg]
};
// Throws an Error unless all vertices that move are of one mass.
LargeStepMaterial large_step_material(const physics::ClothModel& model);

// A wave on an endless grid.
struct Wave {
    double s;      // eigenvalue of the box Laplacian
    double kappa;  // H² κ of the springs, if they pulled alike in all directions
};
std::vector<Wave> waves_of(const LargeStepMaterial& material, double time_step);

// Explicit dashpots act on the velocity before, and shorten what is stable as springs do, by twice their damping over
// H: what H² κ p must be below.
double stable_limit(const physics::StencilMaterial& springs, double time_step);

// Throws an Error unless the layer is stable at its own time step.
void require_stable(const LargeStep& layer, const LargeStepMaterial& material);

// What a step multiplies velocities and impulses by.
struct LargeStepFactors {
    double kept;     // of w
    double impulse;  // ē H [s], from acceleration to change of w
    double place;    // H [s], from w to change of place
};
LargeStepFactors factors_after_start(double drag_rate, double dt, int steps);
// The first step, when w is still the velocity at a moment: the mean of the k velocities to come under constant forces.
LargeStepFactors factors_at_start(double drag_rate, double dt, int steps);

}  // namespace tulle::methods
