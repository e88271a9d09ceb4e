// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/line_search.h"
#include "tulle/numerics/sums.h"

#include <concepts>
#include <optional>

namespace tulle::numerics {

// A smooth function f of an array (n×3 positions, or a vector) and a way to go down from x: near −(∇²f)⁻¹ ∇f, with any
// positive definite stand-in for the Hessian. `residual` is that of the report, to solve only as well as x deserves.
template <typename Objective, typename Array>
concept NewtonObjective = requires(Objective& f, const Array& x, const Array& gradient, double residual) {
    { f.value(x) } -> std::convertible_to<double>;
    { f.gradient(x) } -> std::convertible_to<Array>;
    { f.descent_direction(x, gradient, residual) } -> std::convertible_to<Array>;
};

struct NewtonMinimiserSettings {
    double tolerance = 1e-8;  // ‖∇f(x)‖ relative to the start
    int max_iterations = 200;
    double rounding = 0;  // ‖∇f(x)‖ that rounding errors alone can leave
};

enum class NewtonOutcome {
    Converged,
    OutOfIterations,
    NotDescending,  // the direction leads uphill or is not a number
    NoDecrease      // the direction leads down, but no step along it lowers the value
};

struct [[nodiscard]] NewtonMinimiserReport {
    int iterations = 0;
    double residual = 1;  // ‖∇f(x)‖ relative to the start
    NewtonOutcome outcome = NewtonOutcome::OutOfIterations;

    bool converged() const { return outcome == NewtonOutcome::Converged; }
};

// Newton's method with a line search (Nocedal and Wright, algorithm 3.2) from x, which ends at the best point found.
template <typename Array, NewtonObjective<Array> Objective>
NewtonMinimiserReport minimise_newton(Objective& objective, Array& x, const NewtonMinimiserSettings& settings = {}) {
    NewtonMinimiserReport report;
    const auto end = [&](NewtonOutcome outcome) {
        report.outcome = outcome;
        return report;
    };
    Array gradient = objective.gradient(x);
    const double start = norm(gradient);
    for (;; ++report.iterations) {
        const double size = norm(gradient);
        report.residual = start == 0 ? 0 : size / start;
        if (report.residual <= settings.tolerance || size <= settings.rounding) return end(NewtonOutcome::Converged);
        if (report.iterations == settings.max_iterations) return end(NewtonOutcome::OutOfIterations);
        const Array direction = objective.descent_direction(x, gradient, report.residual);
        const double slope = dot(gradient, direction);
        if (!(slope < 0)) return end(NewtonOutcome::NotDescending);
        const auto value_at = [&](double length) { return objective.value(Array(x + length * direction)); };
        const std::optional<double> length = backtrack(value_at, slope);
        if (!length) return end(NewtonOutcome::NoDecrease);
        add_scaled(x, *length, direction);
        gradient = objective.gradient(x);
    }
}

}  // namespace tulle::numerics
