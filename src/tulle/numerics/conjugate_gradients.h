// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/sums.h"

namespace tulle::numerics {

struct CgSettings {
    int max_iterations = 100;
    double tolerance = 1e-6;  // ‖r‖ / ‖b‖
};

struct [[nodiscard]] CgReport {
    int iterations = 0;
    double residual = 1;              // ‖r‖ / ‖b‖
    bool negative_curvature = false;  // the matrix is not positive definite; the solution so far is kept
};

// Preconditioned conjugate gradients for A x = b from x = 0. `apply(d)` is A d, `precondition(r)` is near A⁻¹ r; both
// take and return n×3 arrays.
template <typename Apply, typename Precondition>
CgReport conjugate_gradients(const Apply& apply, const Precondition& precondition, const Positions& b, Positions& x,
                             const CgSettings& settings) {
    CgReport report;
    x = Positions::Zero(b.rows(), 3);
    Positions residual = b;
    Positions preconditioned = precondition(residual);
    Positions direction = preconditioned;
    const double b_norm = norm(b);
    double rho = dot(residual, preconditioned);
    if (b_norm == 0) return {.iterations = 0, .residual = 0};
    while (report.iterations < settings.max_iterations) {
        const Positions image = apply(direction);
        const double curvature = dot(direction, image);
        if (!(curvature > 0)) {
            report.negative_curvature = true;
            break;
        }
        const double step = rho / curvature;
        add_scaled(x, step, direction);
        add_scaled(residual, -step, image);
        ++report.iterations;
        report.residual = norm(residual) / b_norm;
        if (report.residual <= settings.tolerance) break;
        preconditioned = precondition(residual);
        const double next_rho = dot(residual, preconditioned);
        const double momentum = next_rho / rho;
        rho = next_rho;
        parallel_for(direction.rows(),
                     [&](long i) { direction.row(i) = preconditioned.row(i) + momentum * direction.row(i); });
    }
    return report;
}

}  // namespace tulle::numerics
