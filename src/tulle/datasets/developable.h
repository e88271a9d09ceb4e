// SPDX-License-Identifier: Apache-2.0
// Flat cloth bent without stretching, by formulas: what cloth that hardly stretches looks like where it is smooth.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/datasets/sequence.h"

#include <cstdint>
#include <vector>

namespace tulle::datasets {

// A sum of waves along a line.
struct Wave {
    double size, length, phase;  // length in the units of the line
};
using Waves = std::vector<Wave>;

// A sheet of parallel lines, bent across them: at distance s from the origin its tangent has turned by the waves' sum
// [rad]. `flat`: rest coordinates (u, v); the lines are at `direction` [rad] to the v axis.
Positions bent_cylinder(const Rows<double, 2>& flat, double direction, const Waves& turning);

// A sheet of lines through an apex, `distance` from the origin at `direction`: the waves' sum is how much it is bent at
// distance one from the apex, by the angle around it.
Positions bent_cone(const Rows<double, 2>& flat, double direction, double distance, const Waves& bending);

// The cylinder over a sine wave of that length and largest slope (wave crests at `direction`).
Positions sine_sheet(const Rows<double, 2>& flat, double direction, double length, double slope);

// Coordinates of a grid around its middle, in cells.
Rows<double, 2> grid_coordinates(const geometry::GridSize& size);

// Sequences of random cylinders and cones on a grid of cells of one metre, a new surface in each frame.
std::vector<Sequence> developable_sequences(int count, std::uint64_t seed);
// The same on irregular meshes, another for each sequence, that were subdivided twice.
std::vector<Sequence> irregular_developable_sequences(int count, std::uint64_t seed);

}  // namespace tulle::datasets
