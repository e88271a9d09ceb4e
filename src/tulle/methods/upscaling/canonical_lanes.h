// SPDX-License-Identifier: Apache-2.0
// Pieces of cloth in canonical form (canonical.h), a tile at a time.
#pragma once

#include "tulle/methods/upscaling/lanes.h"
#include "tulle/methods/upscaling/trust.h"

#include <array>

namespace tulle::methods {

struct RestTriangle;

// What canonical_patch_frame and write_canonical_input do: 54 inputs, 18 points.
// `stiffness`: stiffness_inputs of all of them.
void write_canonical_patch_inputs(const LanePoints* around, float unit, const std::array<float, 2>& stiffness,
                                  FrameLanes& frames, LanePoints* inputs);

// What write_earlier_shape does: 48 inputs more, 16 points. `frames` and `inputs` are those of the patches now.
void write_earlier_patch_shapes(const LanePoints* before, const FrameLanes& frames, const LanePoints* inputs,
                                LanePoints* earlier);

// What a network says after its answers at so many points: their own scale, and how far they are to be trusted, are
// made part of the frames' scale. Returns the bounds that nine of ten distances should keep [m].
Lanes weigh_answers(const LanePoints* outputs, int points, const Trust& trust, FrameLanes& frames);

// The RestTriangles of a tile: what their networks see of them, and where the vertices across are.
struct RestTriangleLanes {
    Lanes inputs[9];  // rest_inputs
    Lanes across[6];  // u and v of each
    Lanes stiffness[2];
};
// `stiffness`: stiffness_inputs of that triangle.
void lay_out(const RestTriangle& rest, const std::array<float, 2>& stiffness, int lane, RestTriangleLanes& to);

// What canonical_triangle_frame and write_canonical_input do: 33 inputs, 11 points. `points`: a, b, c, those across the
// edges ab, bc and ca, and where interpolation has the midpoints of these.
void write_canonical_triangle_inputs(const LanePoints* points, const Lanes& units, const RestTriangleLanes& rest,
                                     FrameLanes& frames, LanePoints* inputs);

}  // namespace tulle::methods
