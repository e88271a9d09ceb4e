// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/canonical_lanes.h"

#include "tulle/methods/upscaling/answer_heads.h"
#include "tulle/methods/upscaling/canonical.h"
#include "tulle/methods/upscaling/hierarchy/canonical_triangle.h"
#include "tulle/methods/upscaling/lane_loops.h"
#include "tulle/methods/upscaling/miniature/patch.h"

#include <array>
#include <cmath>

namespace tulle::methods {

namespace {

// make_canonical_frame, from `frames.origin` and `frames.unit` on.
TULLE_INLINE void make_canonical_frames(const LanePoints& along, const LanePoints& across, FrameLanes& frames,
                                        LanePoints& stretch) {
    for_lanes([&](int k) {
        const float inverse = 1 / frames.unit[k];
        const float ax = inverse * along.x[k], ay = inverse * along.y[k], az = inverse * along.z[k];
        const float bx = inverse * across.x[k], by = inverse * across.y[k], bz = inverse * across.z[k];
        const float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
        const float area2 = nx * nx + ny * ny + nz * nz;
        const bool sound = area2 > least_area * least_area;
        const float area = std::sqrt(sound ? area2 : 1.0f), over = (sound ? 1.0f : 0.0f) / area;
        const float aa = ax * ax + ay * ay + az * az, ab = ax * bx + ay * by + az * bz,
                    bb = bx * bx + by * by + bz * bz;
        const float root = 1 / std::sqrt(aa + bb + 2 * area);
        const float uu = (aa + area) * root, uv = ab * root, vv = (bb + area) * root;
        stretch.x[k] = uu;
        stretch.y[k] = uv;
        stretch.z[k] = vv;
        frames.sound[k] = sound ? 1.0f : 0.0f;
        frames.along.x[k] = (ax * vv - bx * uv) * over;
        frames.along.y[k] = (ay * vv - by * uv) * over;
        frames.along.z[k] = (az * vv - bz * uv) * over;
        frames.across.x[k] = (bx * uu - ax * uv) * over;
        frames.across.y[k] = (by * uu - ay * uv) * over;
        frames.across.z[k] = (bz * uu - az * uv) * over;
        frames.normal.x[k] = nx * over;
        frames.normal.y[k] = ny * over;
        frames.normal.z[k] = nz * over;
    });
}

TULLE_INLINE float limited(float x) {
    return x < -most_stretch_input ? -most_stretch_input : x > most_stretch_input ? most_stretch_input : x;
}

// From where a point is in its frame to the shape there.
TULLE_INLINE void take_affine_off(const LanePoints& stretch, const Lanes& u, const Lanes& v, const FrameLanes& frames,
                                  LanePoints& point) {
    for_lanes([&](int k) {
        point.x[k] -= frames.sound[k] * (stretch.x[k] * u[k] + stretch.y[k] * v[k]);
        point.y[k] -= frames.sound[k] * (stretch.y[k] * u[k] + stretch.z[k] * v[k]);
    });
}

// The shape at `points` points is brought to size one; what a network sees of its stretch and size (`scalars.x`) is
// written too. The frames' scale becomes that of answers.
TULLE_INLINE void finish_inputs(int points, const LanePoints& stretch, FrameLanes& frames, LanePoints* shape,
                                LanePoints& stretches, LanePoints& scalars) {
    Lanes sum{}, inverse;
    for (int p = 0; p < points; ++p)
        for_lanes([&](int k) {
            sum[k] += shape[p].x[k] * shape[p].x[k] + shape[p].y[k] * shape[p].y[k] + shape[p].z[k] * shape[p].z[k];
        });
    for_lanes([&](int k) {
        const float size = frames.sound[k] * std::sqrt(sum[k] / static_cast<float>(points));
        scalars.x[k] = size > least_size ? size : least_size;
        inverse[k] = 1 / scalars.x[k];
        frames.scale[k] = scalars.x[k] - least_size;
        stretches.x[k] = limited(stretch.x[k] - 1);
        stretches.y[k] = limited(stretch.y[k]);
        stretches.z[k] = limited(stretch.z[k] - 1);
    });
    for (int k = 0; k < lane_count; ++k) scalars.x[k] = size_input(scalars.x[k]);
    for (int p = 0; p < points; ++p) set(shape[p], [&](auto of, int k) { return inverse[k] * of(shape[p]); });
}

}  // namespace

namespace {

// The frames of patches, and where their points are in them after the affine part is taken off.
TULLE_INLINE void write_patch_shapes(const LanePoints* around, FrameLanes& frames, LanePoints& stretch,
                                     LanePoints* shapes) {
    const LanePoints &a = around[5], &b = around[6], &c = around[9], &d = around[10];
    LanePoints along, across;
    set(frames.origin, [&](auto of, int) { return 0.25f * (of(a) + of(b) + of(c) + of(d)); });
    set(along, [&](auto of, int) { return 0.5f * (of(b) - of(a) + of(d) - of(c)); });
    set(across, [&](auto of, int) { return 0.5f * (of(c) - of(a) + of(d) - of(b)); });
    make_canonical_frames(along, across, frames, stretch);
    for (int p = 0; p < 16; ++p) {
        Lanes u, v;
        for_lanes([&](int k) {
            u[k] = patch_u(p);
            v[k] = patch_v(p);
        });
        to_local(frames, around[p], shapes[p]);
        take_affine_off(stretch, u, v, frames, shapes[p]);
    }
}

}  // namespace

TULLE_FOR_EACH_PROCESSOR void write_canonical_patch_inputs(const LanePoints* around, float unit,
                                                           const std::array<float, 2>& stiffness, FrameLanes& frames,
                                                           LanePoints* inputs) {
    LanePoints stretch;
    for_lanes([&](int k) { frames.unit[k] = unit; });
    write_patch_shapes(around, frames, stretch, inputs);
    finish_inputs(16, stretch, frames, inputs, inputs[16], inputs[17]);
    for_lanes([&](int k) {
        inputs[17].y[k] = stiffness[0];
        inputs[17].z[k] = stiffness[1];
    });
}

TULLE_FOR_EACH_PROCESSOR void write_earlier_patch_shapes(const LanePoints* before, const FrameLanes& frames,
                                                         const LanePoints* inputs, LanePoints* earlier) {
    FrameLanes then;
    LanePoints stretch;
    then.unit = frames.unit;
    write_patch_shapes(before, then, stretch, earlier);
    for (int p = 0; p < 16; ++p)
        set(earlier[p], [&](auto of, int k) {
            const float shape = of(earlier[p]) / (frames.scale[k] + least_size);
            const float held = shape < -most_earlier_shape  ? -most_earlier_shape
                               : shape > most_earlier_shape ? most_earlier_shape
                                                            : shape;
            return then.sound[k] != 0 ? held : of(inputs[p]);
        });
}

Lanes weigh_answers(const LanePoints* outputs, int points, const Trust& trust, FrameLanes& frames) {
    const LanePoints& heads = outputs[points];
    Lanes sum{}, bounds;
    for (int p = 0; p < points; ++p)
        for_lanes([&](int k) {
            const float x = outputs[p].x[k], y = outputs[p].y[k], z = outputs[p].z[k];
            sum[k] += x * x + y * y + z * z;
        });
    for (int k = 0; k < lane_count; ++k) {
        const float answer = std::sqrt(sum[k] / static_cast<float>(3 * points));
        const WeighedAnswer weighed = weigh(answer, std::exp(held_log_bound(heads.y[k])), trust);
        const float scale = frames.scale[k] * std::exp(held_log_scale(heads.x[k]));
        frames.scale[k] = scale * weighed.share;
        bounds[k] = std::sqrt(3.0f) * frames.unit[k] * scale * weighed.bound;
    }
    return bounds;
}

void lay_out(const RestTriangle& rest, const std::array<float, 2>& stiffness, int lane, RestTriangleLanes& to) {
    for (size_t i = 0; i < 2; ++i) to.stiffness[i][lane] = stiffness[i];
    const std::array<float, 9> inputs = rest_inputs(rest);
    for (size_t i = 0; i < inputs.size(); ++i) to.inputs[i][lane] = inputs[i];
    for (size_t k = 0; k < 3; ++k) {
        to.across[2 * k][lane] = rest.across[k].x();
        to.across[2 * k + 1][lane] = rest.across[k].y();
    }
}

TULLE_FOR_EACH_PROCESSOR void write_canonical_triangle_inputs(const LanePoints* points, const Lanes& units,
                                                              const RestTriangleLanes& rest, FrameLanes& frames,
                                                              LanePoints* inputs) {
    const LanePoints &a = points[0], &b = points[1], &c = points[2];
    constexpr float g = 2 / (3 * corner_distance);
    constexpr auto d = corner_directions;
    LanePoints along, across, stretch;
    frames.unit = units;
    set(frames.origin, [&](auto of, int) { return (1 / 3.0f) * (of(a) + of(b) + of(c)); });
    set(along, [&](auto of, int) { return g * (d[0][0] * of(a) + d[1][0] * of(b) + d[2][0] * of(c)); });
    set(across, [&](auto of, int) { return g * (d[0][1] * of(a) + d[1][1] * of(b) + d[2][1] * of(c)); });
    make_canonical_frames(along, across, frames, stretch);
    constexpr std::array<int, 3> by_corner = {4, 5, 3};
    for (int v = 0; v < 3; ++v) {
        to_local(frames, points[by_corner[static_cast<size_t>(v)]], inputs[v]);
        take_affine_off(stretch, rest.across[2 * v], rest.across[2 * v + 1], frames, inputs[v]);
    }
    for (int v = 0; v < 3; ++v) {  // as a point that is that far from the frame's origin
        const LanePoints &from = points[(v + 1) % 3], &to = points[(v + 2) % 3];
        const LanePoints& base = points[3 + by_corner[static_cast<size_t>(v)]];
        LanePoints bend;
        set(bend,
            [&](auto of, int) { return of(frames.origin) + bend_scale * (of(base) - 0.5f * (of(from) + of(to))); });
        to_local(frames, bend, inputs[3 + v]);
    }
    finish_inputs(6, stretch, frames, inputs, inputs[6], inputs[10]);
    inputs[10].y = rest.stiffness[0];
    inputs[10].z = rest.stiffness[1];
    for (int i = 0; i < 9; ++i) (&inputs[7].x)[i] = rest.inputs[i];
}

}  // namespace tulle::methods
