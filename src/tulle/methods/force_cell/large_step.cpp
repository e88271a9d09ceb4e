// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle::methods {

double damping_lag(const physics::StencilMaterial& springs, double time_step) {
    double damping = 0, stiffness = 0;
    for (size_t i = 0; i < physics::stencil_directions; ++i) {
        damping += springs.damping[i];
        stiffness += springs.stiffness[i];
    }
    return stiffness == 0 ? 0 : damping / (stiffness * time_step);
}

double stable_limit(double damping_lag) { return 4 / (1 + 2 * damping_lag); }

double polynomial_at(const VectorX& coefficients, double s) {
    const double u = 1 - 2 * s;
    double before = 0, last = 0;  // Clenshaw
    for (long j = coefficients.size() - 1; j > 0; --j) {
        const double next = coefficients(j) + 2 * u * last - before;
        before = last;
        last = next;
    }
    return coefficients(0) + u * last - before;
}

void check_stability(const LargeStep& step) {
    if (step.all_ways.size() < 3 || step.across.size() < 3) throw Error("its polynomials are of a degree below two");
    if (!step.all_ways.allFinite() || !step.across.allFinite()) throw Error("its polynomials are not finite");
    if (std::abs(polynomial_at(step.all_ways, 0) - 1) > 1e-6 || std::abs(polynomial_at(step.across, 0)) > 1e-6)
        throw Error("its polynomials change what the whole cloth does");
    constexpr int samples = 4096;
    for (int i = 1; i <= samples; ++i) {
        const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * i / samples);
        const double p = polynomial_at(step.all_ways, s), r = polynomial_at(step.across, s);
        if (p < 0 || p + r < 0 || step.stiffest * s * p > stable_limit(step.damping_lag))
            throw Error("its polynomials would not be stable");
    }
}

LargeStepFactors factors_after_start(double drag_rate, double dt, int steps) {
    double mean = 0;
    for (int i = 1; i <= steps; ++i) mean += std::exp(-drag_rate * dt * i / steps) / steps;
    return {.kept = std::exp(-drag_rate * dt), .impulse = mean * dt, .place = dt};
}

LargeStepFactors factors_at_start(double drag_rate, double dt, int steps) {
    // vₘ = eᵐ v + Δt (e + … + eᵐ) a, and w is the mean of v₁ … v_k
    double kept = 0, impulse = 0, sum = 0;
    for (int i = 1; i <= steps; ++i) {
        const double e = std::exp(-drag_rate * dt * i / steps);
        sum += e;
        kept += e / steps;
        impulse += dt / steps * sum / steps;
    }
    return {.kept = kept, .impulse = impulse, .place = dt};
}

}  // namespace tulle::methods
