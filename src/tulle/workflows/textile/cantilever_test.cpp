// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/cantilever_test.h"

#include "tulle/workflows/textile/specimens.h"

#include <cmath>

namespace tulle::workflows {

namespace {

constexpr double gravity = 9.81;  // [m/s²]

// The line from the edge of the platform to the middle of the tip, below the horizontal.
double tip_angle(const physics::ClothModel& model, const Positions& bent) {
    const auto& size = *model.grid;
    Vector3 tip = Vector3::Zero();
    for (int r = 0; r < size.rows; ++r) tip += bent.row(size.index(r, size.columns - 1)) / size.rows;
    return std::atan2(-tip.z(), tip.x());
}

// The tip's angle of an elastica with D/(w ℓ³) = stiffness: D θ'' = −w (ℓ − s) cos θ, θ(0) = 0, θ'(ℓ) = 0, found by
// shooting for the curvature at the clamp.
double elastica_angle(double stiffness) {
    constexpr int steps = 400;
    const double h = 1.0 / steps;
    const auto shoot = [&](double curvature, double& x, double& y) {
        double slope = 0;
        x = y = 0;
        for (int i = 0; i < steps; ++i) {
            // The midpoint rule.
            const double middle_curvature = curvature - 0.5 * h * (1 - i * h) * std::cos(slope) / stiffness;
            const double middle_slope = slope + 0.5 * h * curvature;
            curvature -= h * (1 - (i + 0.5) * h) * std::cos(middle_slope) / stiffness;
            slope += h * middle_curvature;
            x += h * std::cos(middle_slope);
            y += h * std::sin(middle_slope);
        }
        return curvature;  // at the free end
    };
    double low = 0, high = 0.5 / stiffness, x = 0, y = 0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (shoot(middle, x, y) < 0 ? low : high) = middle;
    }
    return std::atan2(y, x);
}

}  // namespace

double elastica_stiffness(double angle) {
    double low = 1e-3, high = 10;
    for (int i = 0; i < 50; ++i) {
        const double middle = std::sqrt(low * high);
        (elastica_angle(middle) > angle ? low : high) = middle;
    }
    return std::sqrt(low * high);
}

CantileverResult cantilever_test(const scene::Fabric& fabric, int cells, const SettleSettings& settings) {
    const double weight = fabric.density * gravity;
    CantileverResult result;
    // The tip sinks faster than the overhang grows, so the overhang is sought by the cube root of Peirce's function of
    // the angle (Peirce 1930): c = ℓ (cos(θ/2) / (8 tan θ))^(1/3).
    const auto peirce = [](double angle) { return std::cbrt(std::cos(angle / 2) / (8 * std::tan(angle))); };
    double overhang = 2.3 * std::cbrt(fabric.bending / weight);  // somewhat too far
    for (int round = 0; round < 12; ++round) {
        const physics::ClothModel model = strip_specimen(fabric, {.overhang = overhang, .cells = cells});
        Settled settled = settle(model, settings);
        result.rest_speed = settled.speed;
        result.stopped = settled.stopped;
        result.angle = tip_angle(model, settled.state.positions);
        result.rest = model.mesh;
        result.bent = std::move(settled.state.positions);
        if (result.stopped || std::abs(result.angle - cantilever_angle) < 1e-3) break;
        overhang *= peirce(result.angle) / peirce(cantilever_angle);
    }
    result.bending_length = overhang / 2;
    result.rigidity = weight * std::pow(result.bending_length, 3);
    result.exact_rigidity = weight * std::pow(overhang, 3) * elastica_stiffness(result.angle);
    return result;
}

}  // namespace tulle::workflows
