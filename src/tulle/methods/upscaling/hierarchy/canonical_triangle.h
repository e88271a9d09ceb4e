// SPDX-License-Identifier: Apache-2.0
// A triangle with the vertices across its edges in canonical form (canonical.h), and how far interpolation bends its
// midpoints off its edges, which tells of vertices that are farther away. Its corners a, b, c are taken in the
// order of its rest shape: a is opposite the longest edge, and ab is not longer than ac (TriangleElements sees to it).
// So it does not matter how a mesh numbers them. Where ab and ac are equally long, b and c may be exchanged: the
// network has that mirror, and the normal's two sides, as exact symmetries. Everything has the number of a corner: an
// edge, its midpoint and the vertex across it have that of the corner opposite.
//
// Rest coordinates are those of an equilateral triangle of the same area, a at the top, mirrored by u → −u.
#pragma once

#include "tulle/methods/upscaling/answer_heads.h"
#include "tulle/methods/upscaling/canonical.h"
#include "tulle/methods/upscaling/stiffness.h"
#include "tulle/neural/symmetry.h"

#include <array>
#include <span>

namespace tulle::methods {

inline constexpr float corner_distance = 0.62040324f;  // of the centre, in units: √(2/3√3), for an area of ½
inline constexpr std::array<std::array<float, 2>, 3> corner_directions = {
    {{0, 1}, {-0.86602540f, -0.5f}, {0.86602540f, -0.5f}}};

inline Eigen::Vector2f corner_direction(int corner) {
    const auto& d = corner_directions[static_cast<size_t>(corner)];
    return {d[0], d[1]};
}

// Shape: 3×3 across and 3×3 of the bends; stretch 3; rest: stretch 3 and three places 3×2; size and two for the
// stiffness.
inline constexpr int triangle_inputs = 33;
inline constexpr float bend_scale = 4;  // midpoints bend about a fourth as far as vertices across
inline constexpr int triangle_outputs = 3 * 3 + answer_heads;  // of midpoints

// What a network needs to know of a triangle's rest shape.
struct RestTriangle {
    std::array<Eigen::Vector2f, 3> across;  // rest coordinates of the vertices across, in units
    Eigen::Vector3f stretch;                // of the rest shape itself, from the equilateral one
};

// `corners`, `across`: at rest. A vertex across is folded into the triangle's plane.
RestTriangle make_rest_triangle(const std::array<Point, 3>& corners, const std::array<Point, 3>& across, float unit);

CanonicalFrame canonical_triangle_frame(const std::array<Point, 3>& corners, float unit);

// `bends`: from the middle of each edge to where interpolation has its midpoint [m]. Returns the size, the root of the
// mean square over the vertices across and the scaled bends, in units.
float write_canonical_input(const std::array<Point, 3>& across, const std::array<Point, 3>& bends,
                            const CanonicalFrame& frame, const RestTriangle& rest, const Stiffness& stiffness,
                            std::span<float> input);

// Inputs 21 to 29: all that is known at rest.
std::array<float, 9> rest_inputs(const RestTriangle& rest);

neural::Symmetry triangle_symmetry();

}  // namespace tulle::methods
