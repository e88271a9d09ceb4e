// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cmath>
#include <optional>

namespace tulle::numerics {

struct LineSearchSettings {
    double sufficient = 1e-4;  // part of the decrease that the slope promises which must come true
    int max_halvings = 40;
    double rounding = 1e-12;  // relative error of the values
};

// The first of the lengths 1, ½, ¼ … that lowers the value enough (Armijo 1966): value_at(length) ≤ value_at(0) +
// sufficient · length · slope. `slope` is the derivative at 0 and negative. Nothing if no length does.
template <typename ValueAt>
std::optional<double> backtrack(const ValueAt& value_at, double slope, const LineSearchSettings& settings = {}) {
    assert(slope < 0);
    const double value = value_at(0.0);
    // Close to the minimum the decrease drowns in the rounding of the value itself, and the full step is right.
    if (std::abs(slope) < settings.rounding * std::abs(value)) return 1;
    double length = 1;
    for (int halvings = 0; halvings < settings.max_halvings; ++halvings, length /= 2)
        if (value_at(length) <= value + settings.sufficient * length * slope) return length;
    return std::nullopt;
}

}  // namespace tulle::numerics
