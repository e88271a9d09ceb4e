// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/newton.h"

#include "tulle/numerics/conjugate_gradients.h"
#include "tulle/numerics/newton_minimiser.h"
#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/damped_springs.h"
#include "tulle/physics/step_objective.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

// A NewtonObjective.
struct Newton::Prepared {
    Prepared(const ClothModel& model, const std::vector<bool>& pinned, double step)
        : dt(step),
          objective(model, step),
          preconditioner(hold_pins(system_matrix(model, step), pinned)),
          force_scale(step * step * model.springs.stiffness.cwiseProduct(model.springs.rest_lengths).norm()) {}

    double value(const Positions& x) const { return objective.value(x); }
    Forces gradient(const Positions& x) const { return objective.gradient(x); }
    Positions descent_direction(const Positions& x, const Forces& gradient, double residual);

    double dt;
    StepObjective objective;
    numerics::SparseCholesky preconditioner;
    double force_scale;  // [N s²] what rounding errors of the gradient are measured by
};

Positions Newton::Prepared::descent_direction(const Positions& x, const Forces& gradient, double residual) {
    using Curvature = StepObjective::Curvature;
    const Forces downhill = -gradient;
    const auto apply = [&](const Positions& d) { return objective.apply_hessian(d); };
    const auto precondition = [&](const Positions& r) { return preconditioner.solve(r); };
    // Solving only as well as the step deserves still converges superlinearly (Nocedal and Wright, section 7.1).
    const numerics::CgSettings cg{.max_iterations = 1000, .tolerance = std::clamp(std::sqrt(residual), 1e-4, 0.1)};
    // Pure projection crawls through buckling modes; the exact Hessian finishes quickly once it is positive definite.
    Positions direction;
    const bool near_minimum = residual < 1e-2;
    objective.linearise(x, near_minimum ? Curvature::Exact : Curvature::Projected);
    if (conjugate_gradients(apply, precondition, downhill, direction, cg).negative_curvature) {
        objective.linearise(x, Curvature::Projected);
        static_cast<void>(conjugate_gradients(apply, precondition, downhill, direction, cg));
    }
    return direction;
}

Newton::Newton(const ClothModel& model, const World& world, ForceList forces, const NewtonSettings& settings)
    : Solver(model, world, std::move(forces)), settings_(settings) {}

Newton::~Newton() = default;

void Newton::step(ClothState& state, double dt, StepReport& report) {
    if (!prepared_ || prepared_->dt != dt) prepared_ = std::make_unique<Prepared>(model_, pinned_, dt);
    Stopwatch watch;
    Positions positions = inertial_positions(state, dt);
    report.stages["forces"] += watch.lap();
    prepared_->objective.begin(positions, effective_rest_lengths(model_.springs, state.positions, dt));
    const auto found = numerics::minimise_newton(*prepared_, positions,
                                                 {.tolerance = settings_.tolerance,
                                                  .max_iterations = settings_.max_iterations,
                                                  .rounding = 1e-15 * prepared_->force_scale});
    report.iterations = found.iterations;
    report.residual = found.residual;
    report.stages["minimise"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

}  // namespace tulle::physics
