// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sense.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::scene {

void require_sense(const physics::ClothState& state) {
    const auto is_within = [](const auto& row, double limit) { return row.squaredNorm() <= limit * limit; };
    for (int v = 0; v < state.positions.rows(); ++v) {
        const bool is_near = is_within(state.positions.row(v), farthest_sense);  // not if it is not a number
        const bool is_slow = is_within(state.velocities.row(v), fastest_sense);
        if (is_near && is_slow) continue;
        throw LeftSense(v, state.time,
                        is_near ? fmt::format("vertex {} moves at {:.3g} m/s at {:.4g} s", v,
                                              state.velocities.row(v).norm(), state.time)
                                : fmt::format("vertex {} is {:.3g} m away at {:.4g} s", v,
                                              state.positions.row(v).norm(), state.time));
    }
}

void require_sensible_stretch(const physics::ClothModel& model, const physics::ClothState& state) {
    const Triangles& triangles = model.mesh.triangles;
    const auto length = [](const Positions& positions, int a, int b) {
        return (positions.row(a) - positions.row(b)).norm();
    };
    long many = 0, sides = 0;
    double longest = 0;
    int vertex = 0;
    for (const auto triangle : triangles.rowwise())
        for (int k = 0; k < 3; ++k) {
            const int a = triangle(k), b = triangle((k + 1) % 3);
            const double rest = length(model.mesh.positions, a, b);
            if (rest == 0) continue;
            const double stretch = length(state.positions, a, b) / rest;
            many += stretch > long_for_many ? 1 : 0;
            ++sides;
            if (stretch > longest) vertex = a;
            longest = std::max(longest, stretch);
        }
    if (longest <= longest_sense && 100 * many <= sides) return;
    throw LeftSense(vertex, state.time,
                    fmt::format("an edge at vertex {} is {:.3g} times as long as at rest at {:.4g} s, and {} more than "
                                "{:.0f} times",
                                vertex, longest, state.time, many, long_for_many));
}

}  // namespace tulle::scene
