// SPDX-License-Identifier: Apache-2.0
// Pieces of cloth in canonical form (canonical.h), a tile at a time.
#pragma once

#include "tulle/methods/upscaling/lanes.h"

namespace tulle::methods {

struct RestTriangle;

// What canonical_patch_frame and write_canonical_input do: 54 inputs, 18 points.
void write_canonical_patch_inputs(const LanePoints* around, float unit, FrameLanes& frames, LanePoints* inputs);

// The answers' own scale is made part of the frames' trust. Returns the bounds of the errors [m].
Lanes take_heads(const Lanes& log_scale, const Lanes& log_bound, FrameLanes& frames);

// The RestTriangles of a tile: what their networks see of them, and where the vertices across are.
struct RestTriangleLanes {
    Lanes inputs[9];  // rest_inputs
    Lanes across[6];  // u and v of each
};
void lay_out(const RestTriangle& rest, int lane, RestTriangleLanes& to);

// What canonical_triangle_frame and write_canonical_input do: 24 inputs, 8 points. `points`: a, b, c, and those across
// the edges ab, bc and ca.
void write_canonical_triangle_inputs(const LanePoints* points, const Lanes& units, const RestTriangleLanes& rest,
                                     FrameLanes& frames, LanePoints* inputs);

}  // namespace tulle::methods
