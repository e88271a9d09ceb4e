// SPDX-License-Identifier: Apache-2.0
// A moving mesh, the cloth or a collider that deforms, in few bytes, for morph targets. Only for the .cpp files of this
// folder.
//
// Positions live in a local frame, x_world = rotationᵀ x + origin, and are stored as 16-bit numbers in units of
// `scale`; a target stores the difference to frame 0 in the same units.
//
// Normals are to be stored as 8-bit numbers in [−1, 1], but the difference of two unit vectors reaches 2. Whoever draws
// the cloth normalises the sum, so only its direction counts: with b the normal of frame 0 and n that of a frame, we
// may store t n − b for any t > 0, and choose the largest t ≤ 1 for which every component fits:
//     t = min(1, minᵢ (1 + bᵢ sgn nᵢ) / |nᵢ|).
// That is at least 0.42 for every n if b is (1, 1, 1)/√3. So the local frame is turned until the mean normal of frame 0
// points that way. The error of the direction is at most √3/254 / t. Where some t would be below `least_stretch`, as on
// a cloth that starts strongly curved and turns over, the targets keep f32 normals.
#pragma once

#include "tulle/core/arrays.h"

#include <cstdint>
#include <functional>

namespace tulle::io {

inline constexpr double least_stretch = 0.25;

// A mesh over the frames of a cache.
struct MovingMesh {
    const Triangles& triangles;
    long frame_count = 0;
    std::function<Positions(long frame)> positions;  // |V|×3 [m], in the world as in the cache
};

struct QuantizedMesh {
    Matrix3 rotation = Matrix3::Identity();  // world, as in the cache, to local
    Vector3 origin = Vector3::Zero();        // [m] of the local frame, in the world
    double scale = 1;                        // [m] that 32767 stands for
    bool has_byte_normals = true;
    Rows<std::int16_t, 4> base_positions;  // |V|×4, frame 0; the fourth is padding
    Rows<std::int16_t, 4> base_normals;    // |V|×4
};

struct QuantizedTarget {
    Rows<std::int16_t, 4> positions;    // |V|×4, frame − base
    Rows<std::int8_t, 4> byte_normals;  // |V|×4, or empty
    Rows<float, 3> float_normals;       // |V|×3, or empty
};

// Reads every frame once to find scale and kind of normals.
QuantizedMesh quantize_mesh(const MovingMesh& mesh);
QuantizedTarget quantize_frame(const QuantizedMesh& quantized, const MovingMesh& mesh, long frame);

}  // namespace tulle::io
