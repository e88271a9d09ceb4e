// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/newton.h"

#include "tulle/numerics/conjugate_gradients.h"
#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/damped_springs.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

using numerics::dot;

struct Newton::Prepared {
    Prepared(const ClothModel& model, const std::vector<bool>& pinned, double step)
        : dt(step),
          objective(model, step),
          preconditioner(hold_pins(system_matrix(model, step), pinned)),
          force_scale(step * step * model.springs.stiffness.cwiseProduct(model.springs.rest_lengths).norm()) {}

    double dt;
    StepObjective objective;
    numerics::SparseCholesky preconditioner;
    double force_scale;  // [N s²] what rounding errors of the gradient are measured by
};

Newton::Newton(const ClothModel& model, const World& world, ForceList forces, const NewtonSettings& settings)
    : Solver(model, world, std::move(forces)), settings_(settings) {}

Newton::~Newton() = default;

void Newton::step(ClothState& state, double dt, StepReport& report) {
    if (!prepared_ || prepared_->dt != dt) prepared_ = std::make_unique<Prepared>(model_, pinned_, dt);
    Stopwatch watch;
    const Positions inertial = inertial_positions(state, dt);
    report.stages["forces"] += watch.lap();
    Positions positions = minimise(inertial, effective_rest_lengths(model_.springs, state.positions, dt), report);
    report.stages["minimise"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

Positions Newton::minimise(Positions positions, const VectorX& rest_lengths, StepReport& report) {
    StepObjective& objective = prepared_->objective;
    objective.begin(positions, rest_lengths);
    Forces gradient = objective.gradient(positions);
    const double start = std::sqrt(dot(gradient, gradient));
    const double rounding = 1e-15 * prepared_->force_scale;
    report.residual = 1;
    for (report.iterations = 0; report.iterations < settings_.max_iterations; ++report.iterations) {
        const double norm = std::sqrt(dot(gradient, gradient));
        report.residual = start > 0 ? norm / start : 0;
        if (report.residual <= settings_.tolerance || norm <= rounding) break;
        const Positions direction = descent_direction(positions, gradient, report.residual);
        numerics::add_scaled(positions, line_search(positions, direction, gradient), direction);
        gradient = objective.gradient(positions);
    }
    return positions;
}

Positions Newton::descent_direction(const Positions& positions, const Forces& gradient, double residual) {
    using Curvature = StepObjective::Curvature;
    StepObjective& objective = prepared_->objective;
    const Forces downhill = -gradient;
    const auto apply = [&](const Positions& d) { return objective.apply_hessian(d); };
    const auto precondition = [&](const Positions& r) { return prepared_->preconditioner.solve(r); };
    // Solving only as well as the step deserves still converges superlinearly (Nocedal and Wright, section 7.1).
    const numerics::CgSettings cg{.max_iterations = 1000, .tolerance = std::clamp(std::sqrt(residual), 1e-4, 0.1)};
    // Pure projection crawls through buckling modes; the exact Hessian finishes quickly once it is positive definite.
    Positions direction;
    const bool near_minimum = residual < 1e-2;
    objective.linearise(positions, near_minimum ? Curvature::Exact : Curvature::Projected);
    if (conjugate_gradients(apply, precondition, downhill, direction, cg).negative_curvature) {
        objective.linearise(positions, Curvature::Projected);
        static_cast<void>(conjugate_gradients(apply, precondition, downhill, direction, cg));
    }
    return direction;
}

double Newton::line_search(const Positions& positions, const Positions& direction, const Forces& gradient) const {
    const StepObjective& objective = prepared_->objective;
    const double value = objective.value(positions);
    const double slope = dot(gradient, direction);
    // Close to the minimum the decrease drowns in the rounding of the value itself, and the full step is right.
    if (std::abs(slope) < 1e-12 * std::abs(value)) return 1;
    double length = 1;
    for (int halvings = 0; halvings < 40; ++halvings, length /= 2)
        if (objective.value(positions + length * direction) <= value + 1e-4 * length * slope) break;
    return length;
}

}  // namespace tulle::physics
