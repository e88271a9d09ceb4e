// SPDX-License-Identifier: Apache-2.0
// For the files that work on tiles of pieces.
#pragma once

#include "tulle/methods/upscaling/lanes.h"

// Compiled for AVX2 too and chosen when the program starts.
#if defined(__x86_64__)
#define TULLE_FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TULLE_FOR_EACH_PROCESSOR
#endif
#define TULLE_INLINE inline __attribute__((always_inline))

namespace tulle::methods {

// Calls body(lane) for all of them, a loop that the compiler turns into vector instructions.
template <typename Body>
TULLE_INLINE void for_lanes(const Body& body) {
#pragma GCC ivdep
    for (int k = 0; k < lane_count; ++k) body(k);
}

// value(coordinates) for x, y and z, where `coordinates` picks one of a point.
template <typename Value>
TULLE_INLINE void set(LanePoints& to, const Value& value) {
    for_lanes([&](int k) {
        to.x[k] = value([k](const LanePoints& p) { return p.x[k]; }, k);
        to.y[k] = value([k](const LanePoints& p) { return p.y[k]; }, k);
        to.z[k] = value([k](const LanePoints& p) { return p.z[k]; }, k);
    });
}

TULLE_INLINE void to_local(const FrameLanes& frames, const LanePoints& point, LanePoints& local) {
    for_lanes([&](int k) {
        const float scale = 1 / frames.unit[k];
        const float x = scale * (point.x[k] - frames.origin.x[k]), y = scale * (point.y[k] - frames.origin.y[k]),
                    z = scale * (point.z[k] - frames.origin.z[k]);
        local.x[k] = frames.along.x[k] * x + frames.along.y[k] * y + frames.along.z[k] * z;
        local.y[k] = frames.across.x[k] * x + frames.across.y[k] * y + frames.across.z[k] * z;
        local.z[k] = frames.normal.x[k] * x + frames.normal.y[k] * y + frames.normal.z[k] * z;
    });
}

}  // namespace tulle::methods
