// SPDX-License-Identifier: Apache-2.0
// A triangle with the vertices across its edges in canonical form (canonical.h). Rest coordinates are those of an
// equilateral triangle of the same area, so that its three corners are alike. Everything has the number of a corner: an
// edge, its midpoint and the vertex across it have that of the corner opposite. A vector is given by its components
// along the three directions from the centre to the corners, which relabelling the corners only permutes, and along the
// normal. So the network's symmetries are the six permutations of the corners, and the two sides.
#pragma once

#include "tulle/methods/upscaling/answer_heads.h"
#include "tulle/methods/upscaling/canonical.h"
#include "tulle/neural/symmetry.h"

#include <array>
#include <span>

namespace tulle::methods {

inline constexpr float corner_distance = 0.62040324f;  // of the centre, in units: √(2/3√3), for an area of ½
inline constexpr float component_scale = 0.81649658f;  // √⅔: three components have the length of their vector
inline constexpr std::array<std::array<float, 2>, 3> corner_directions = {
    {{0, 1}, {-0.86602540f, -0.5f}, {0.86602540f, -0.5f}}};

inline Eigen::Vector2f corner_direction(int corner) {
    const auto& d = corner_directions[static_cast<size_t>(corner)];
    return {d[0], d[1]};
}

inline constexpr int triangle_inputs = 30;  // 3×4 shape, 3 stretch, 3×3 + 3 rest shape, size, 2 stiffness
inline constexpr int triangle_outputs = 3 * 4 + answer_heads;  // of midpoints

// What a network needs to know of a triangle's rest shape.
struct RestTriangle {
    std::array<Eigen::Vector2f, 3> across;  // rest coordinates of the vertices across, in units
    Eigen::Vector3f stretch;                // of the rest shape itself, from the equilateral one
};

// `corners`, `across`: at rest. A vertex across is folded into the triangle's plane.
RestTriangle make_rest_triangle(const std::array<Point, 3>& corners, const std::array<Point, 3>& across, float unit);

CanonicalFrame canonical_triangle_frame(const std::array<Point, 3>& corners, float unit);

// Returns the size, the root of the mean square over the three vertices across, in units.
float write_canonical_input(const std::array<Point, 3>& across, const CanonicalFrame& frame, const RestTriangle& rest,
                            std::span<float> input);

// A vector in the frame's axes as four components, and back.
void write_components(const Eigen::Vector3f& vector, float* components);
Eigen::Vector3f read_components(const float* components);

neural::Symmetry triangle_symmetry();

}  // namespace tulle::methods
