// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/parallel.h"

#include <cmath>

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

inline double dot(const Positions& a, const Positions& b) {
    return parallel_sum(a.rows(), [&](long i) { return a.row(i).dot(b.row(i)); });
}

// a += factor · b, on all threads.
inline void add_scaled(Positions& a, double factor, const Positions& b) {
    parallel_for(a.rows(), [&](long i) { a.row(i) += factor * b.row(i); });
}

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
    const double b_norm = std::sqrt(dot(b, b));
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
        report.residual = std::sqrt(dot(residual, residual)) / b_norm;
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
