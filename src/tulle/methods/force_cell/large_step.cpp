// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/box_laplacian.h"
#include "tulle/methods/force_cell/cell_material.h"

#include <cmath>
#include <numbers>

namespace tulle::methods {

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

LargeStepMaterial large_step_material(const physics::ClothModel& model) {
    const std::vector<bool> pinned = model.pinned();
    double mass = 0;
    for (int v = 0; v < model.vertex_count(); ++v) {
        if (pinned[static_cast<size_t>(v)]) continue;
        if (mass == 0) mass = model.masses(v);
        if (std::abs(model.masses(v) / mass - 1) > 1e-5)
            throw Error("larger steps of a force cell need particles of one mass; give the cloth a mass of each");
    }
    return {.springs = cell_material(model), .mass = mass == 0 ? 1 : mass};
}

std::vector<Wave> waves_of(const LargeStepMaterial& material, double time_step) {
    constexpr int samples = 160;
    std::vector<Wave> waves;
    for (int i = 0; i <= samples; ++i)
        for (int j = 0; j <= samples; ++j) {
            const double a = std::numbers::pi * i / samples, b = std::numbers::pi * j / samples;
            double stiffness = 0;
            for (size_t d = 0; d < physics::stencil_directions; ++d) {
                const auto [rows, columns] = physics::stencil_offsets[d];
                stiffness += 2 * material.springs.stiffness[d] * (1 - std::cos(rows * a + columns * b));
            }
            waves.push_back({BoxLaplacian::of_wave(a, b), time_step * time_step * stiffness / material.mass});
        }
    return waves;
}

double stable_limit(const physics::StencilMaterial& springs, double time_step) {
    double damping = 0, stiffness = 0;
    for (size_t i = 0; i < physics::stencil_directions; ++i) {
        damping += springs.damping[i];
        stiffness += springs.stiffness[i];
    }
    return stiffness == 0 ? 4 : 4 / (1 + 2 * damping / (stiffness * time_step));
}

void require_stable(const LargeStep& layer, const LargeStepMaterial& material) {
    if (layer.all_ways.size() < 3 || layer.across.size() < 3) throw Error("its polynomials are of a degree below two");
    if (!layer.all_ways.allFinite() || !layer.across.allFinite()) throw Error("its polynomials are not finite");
    if (std::abs(polynomial_at(layer.all_ways, 0) - 1) > 1e-6 || std::abs(polynomial_at(layer.across, 0)) > 1e-6)
        throw Error("its polynomials change what the whole cloth does");
    const double limit = stable_limit(material.springs, layer.time_step);
    double used = 0;
    for (const auto& [s, kappa] : waves_of(material, layer.time_step)) {
        const double p = polynomial_at(layer.all_ways, s);
        if (p < 0 || polynomial_at(layer.across, s) < -1e-3) throw Error("its polynomials push the wrong way");
        used = std::max(used, kappa * p / limit);
    }
    if (used > 1)
        throw Error(
            "steps of {:.4g} s would not be stable on this cloth: its springs are {:.2f} times as stiff as {} "
            "steps at once can hold",
            layer.time_step, used, layer.steps);
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
