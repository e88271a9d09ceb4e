// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/lanes.h"

#include "tulle/methods/upscaling/lane_loops.h"
#include "tulle/methods/upscaling/local_frame.h"

#include <cmath>

namespace tulle::methods {

namespace {

typedef float Row __attribute__((vector_size(16), aligned(4), may_alias));  // x, y, z and nothing

// make_frame, from `frames.origin` and `frames.unit` on.
TULLE_INLINE void make_frames(const LanePoints& along, const LanePoints& across, FrameLanes& frames) {
    for_lanes([&](int k) {
        const float ax = along.x[k], ay = along.y[k], az = along.z[k];
        const float bx = across.x[k], by = across.y[k], bz = across.z[k];
        const float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
        const float long2 = ax * ax + ay * ay + az * az, wide2 = bx * bx + by * by + bz * bz;
        const float area2 = nx * nx + ny * ny + nz * nz;
        const float unit = frames.unit[k], least = least_area * unit * unit;
        const bool sound = area2 > least * least && long2 > 0;
        const float one = sound ? 1.0f : 0.0f;
        const float a = one / std::sqrt(sound ? long2 : 1.0f), n = one / std::sqrt(sound ? area2 : 1.0f);
        const float stretch = std::sqrt(long2 > wide2 ? long2 : wide2) / unit;
        const float trust = (strange_stretch - stretch) / (strange_stretch - familiar_stretch);
        frames.sound[k] = one;
        frames.scale[k] = trust < 0 ? 0.0f : trust > 1 ? 1.0f : trust;
        frames.along.x[k] = a * ax;
        frames.along.y[k] = a * ay;
        frames.along.z[k] = a * az;
        frames.normal.x[k] = n * nx;
        frames.normal.y[k] = n * ny;
        frames.normal.z[k] = n * nz;
        frames.across.x[k] = n * a * (ny * az - nz * ay);
        frames.across.y[k] = n * a * (nz * ax - nx * az);
        frames.across.z[k] = n * a * (nx * ay - ny * ax);
    });
}

}  // namespace

TULLE_FOR_EACH_PROCESSOR void gather(const float* rows, const int* indices, int points, LanePoints* to) {
    for (int p = 0; p < points; ++p, indices += lane_count)
        for (int k = 0; k < lane_count; k += 4) {
            const auto row = [&](int i) { return *reinterpret_cast<const Row*>(rows + 4L * indices[k + i]); };
            const Row xy01 = __builtin_shufflevector(row(0), row(1), 0, 4, 1, 5);
            const Row xy23 = __builtin_shufflevector(row(2), row(3), 0, 4, 1, 5);
            const Row z01 = __builtin_shufflevector(row(0), row(1), 2, 6, -1, -1);
            const Row z23 = __builtin_shufflevector(row(2), row(3), 2, 6, -1, -1);
            *reinterpret_cast<Row*>(to[p].x.of + k) = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
            *reinterpret_cast<Row*>(to[p].y.of + k) = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
            *reinterpret_cast<Row*>(to[p].z.of + k) = __builtin_shufflevector(z01, z23, 0, 1, 4, 5);
        }
}

TULLE_FOR_EACH_PROCESSOR void write_patch_inputs(const LanePoints* around, float unit, FrameLanes& frames,
                                                 LanePoints* inputs) {
    const LanePoints &a = around[5], &b = around[6], &c = around[9], &d = around[10];
    LanePoints along, across;
    set(frames.origin, [&](auto of, int) { return 0.25f * (of(a) + of(b) + of(c) + of(d)); });
    set(along, [&](auto of, int) { return 0.5f * (of(b) - of(a) + of(d) - of(c)); });
    set(across, [&](auto of, int) { return 0.5f * (of(c) - of(a) + of(d) - of(b)); });
    for_lanes([&](int k) { frames.unit[k] = unit; });
    make_frames(along, across, frames);
    for (int p = 0; p < 16; ++p) to_local(frames, around[p], inputs[p]);
}

TULLE_FOR_EACH_PROCESSOR void interpolate_midpoints(const LanePoints* points, const Lanes* rest_bends,
                                                    LanePoints* midpoints) {
    const LanePoints &a = points[0], &b = points[1], &c = points[2];
    LanePoints ab, ac;
    set(ab, [&](auto of, int) { return of(b) - of(a); });
    set(ac, [&](auto of, int) { return of(c) - of(a); });
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const LanePoints &from = points[i], &to = points[j], &opposite = points[l];
        const LanePoints &beyond1 = points[3 + j], &beyond2 = points[3 + l];
        const Lanes &bend_ab = rest_bends[2 * i], &bend_ac = rest_bends[2 * i + 1];
        set(midpoints[i], [&](auto of, int k) {
            const float butterfly = 0.25f * of(opposite) - 0.125f * (of(beyond1) + of(beyond2));
            return 0.5f * (of(from) + of(to)) + butterfly - (bend_ab[k] * of(ab) + bend_ac[k] * of(ac));
        });
    }
}

TULLE_FOR_EACH_PROCESSOR void write_triangle_inputs(const LanePoints* points, const Lanes& units,
                                                    const Lanes* rest_bends, FrameLanes& frames, LanePoints* inputs,
                                                    LanePoints* midpoints) {
    const LanePoints &a = points[0], &b = points[1], &c = points[2];
    LanePoints ab, ac;
    set(frames.origin, [&](auto of, int) { return (1 / 3.0f) * (of(a) + of(b) + of(c)); });
    set(ab, [&](auto of, int) { return of(b) - of(a); });
    set(ac, [&](auto of, int) { return of(c) - of(a); });
    frames.unit = units;
    make_frames(ab, ac, frames);
    for (int p = 0; p < 6; ++p) to_local(frames, points[p], inputs[p]);
    interpolate_midpoints(points, rest_bends, midpoints);
}

TULLE_FOR_EACH_PROCESSOR void add_in_world(const FrameLanes& frames, const LanePoints* outputs, int points,
                                           LanePoints* answers) {
    const LanePoints &along = frames.along, &across = frames.across, &normal = frames.normal;
    for (int p = 0; p < points; ++p)
        for_lanes([&](int k) {
            const float scale = frames.scale[k] * frames.unit[k];
            const float x = scale * outputs[p].x[k], y = scale * outputs[p].y[k], z = scale * outputs[p].z[k];
            answers[p].x[k] += along.x[k] * x + across.x[k] * y + normal.x[k] * z;
            answers[p].y[k] += along.y[k] * x + across.y[k] * y + normal.y[k] * z;
            answers[p].z[k] += along.z[k] * x + across.z[k] * y + normal.z[k] * z;
        });
}

}  // namespace tulle::methods
