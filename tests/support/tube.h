// SPDX-License-Identifier: Apache-2.0
// An irregular tube of cloth with two free borders, and deformed copies of it: what the tests and the benchmark of the
// projections work on. 66 × 45 vertices have the paper's 2,970 vertices and 8,778 edges.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/random.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace tulle::test {

struct Tube {
    Positions positions;  // |V|×3 [m] at rest
    Triangles triangles;
    double spacing = 0;  // [m]
};

// `around` × `along` vertices, moved by a quarter of their spacing at random; diagonals run at random.
inline Tube make_tube(int around, int along, std::uint64_t seed = 1) {
    constexpr double pi = std::numbers::pi;
    Random random(seed);
    Tube tube{Positions(around * along, 3), Triangles(2L * around * (along - 1), 3), 1.0 / around};
    const double radius = around * tube.spacing / (2 * pi);
    for (int c = 0; c < along; ++c)
        for (int r = 0; r < around; ++r) {
            const double angle = (r + random.uniform(-0.25, 0.25)) * 2 * pi / around;
            const double shift = random.uniform(-0.25, 0.25);
            const double height = (c + (c > 0 && c + 1 < along ? shift : 0)) * tube.spacing;
            tube.positions.row(c * around + r) << radius * std::cos(angle), radius * std::sin(angle), height;
        }
    long t = 0;
    for (int c = 0; c + 1 < along; ++c)
        for (int r = 0; r < around; ++r) {
            const int a = c * around + r, b = c * around + (r + 1) % around;
            if (random.uniform(-1, 1) > 0) {
                tube.triangles.row(t++) << a, b, b + around;
                tube.triangles.row(t++) << a, b + around, a + around;
            } else {
                tube.triangles.row(t++) << a, b, a + around;
                tube.triangles.row(t++) << b, b + around, a + around;
            }
        }
    return tube;
}

struct Deformation {
    double shrink = 1;  // of the whole tube
    double waves = 0;   // [m] of smooth waves
    double noise = 0;   // of each vertex, relative to the spacing
    double phase = 0;   // of the waves: time in an animation
};

// Smooth waves and noise in all directions, as of a network that was not quite sure.
inline Positions deform(const Tube& tube, const Deformation& deformation, std::uint64_t seed = 7) {
    constexpr double turn = 2 * std::numbers::pi;
    const double phase = deformation.phase;
    Random random(seed);
    Positions moved = tube.positions;
    for (long v = 0; v < moved.rows(); ++v) {
        const double x = moved(v, 0), y = moved(v, 1), z = moved(v, 2);
        const Vector3 wave(std::sin(turn * z / 0.31 + phase) + 0.5 * std::sin(turn * x / 0.17 + 1),
                           std::sin(turn * x / 0.23 + 2 + phase) + 0.4 * std::sin(turn * z / 0.13 + phase),
                           std::sin(turn * y / 0.19 + 3) + 0.5 * std::sin(turn * z / 0.21 + phase));
        Vector3 noise;
        // The sum of three uniform numbers has a standard deviation of one and is nearly normal.
        for (int c = 0; c < 3; ++c) noise(c) = random.uniform(-1, 1) + random.uniform(-1, 1) + random.uniform(-1, 1);
        moved.row(v) = deformation.shrink * moved.row(v) +
                       (deformation.waves * wave + deformation.noise * tube.spacing * noise).transpose();
    }
    return moved;
}

}  // namespace tulle::test
