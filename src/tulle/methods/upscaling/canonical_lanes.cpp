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

// From the sum of squares of a piece's shape over its points to what one over its size and size_input are; the frames'
// trust becomes the scale of answers.
TULLE_INLINE void measure_sizes(const Lanes& sum, int points, FrameLanes& frames, Lanes& sizes, Lanes& inverse) {
    for_lanes([&](int k) {
        const float size = frames.sound[k] * std::sqrt(sum[k] / static_cast<float>(points));
        sizes[k] = size > least_size ? size : least_size;
        inverse[k] = 1 / sizes[k];
        frames.trust[k] = sizes[k] - least_size;
    });
    for (int k = 0; k < lane_count; ++k) sizes[k] = size_input(sizes[k]);
}

}  // namespace

TULLE_FOR_EACH_PROCESSOR void write_canonical_patch_inputs(const LanePoints* around, float unit, FrameLanes& frames,
                                                           LanePoints* inputs) {
    const LanePoints &a = around[5], &b = around[6], &c = around[9], &d = around[10];
    LanePoints along, across, stretch;
    set(frames.origin, [&](auto of, int) { return 0.25f * (of(a) + of(b) + of(c) + of(d)); });
    set(along, [&](auto of, int) { return 0.5f * (of(b) - of(a) + of(d) - of(c)); });
    set(across, [&](auto of, int) { return 0.5f * (of(c) - of(a) + of(d) - of(b)); });
    for_lanes([&](int k) { frames.unit[k] = unit; });
    make_canonical_frames(along, across, frames, stretch);
    for (int p = 0; p < 16; ++p) {
        to_local(frames, around[p], inputs[p]);
        const float u = patch_u(p), v = patch_v(p);
        for_lanes([&](int k) {
            inputs[p].x[k] -= frames.sound[k] * (stretch.x[k] * u + stretch.y[k] * v);
            inputs[p].y[k] -= frames.sound[k] * (stretch.y[k] * u + stretch.z[k] * v);
        });
    }
    Lanes sum{}, inverse;
    for (int p = 0; p < 16; ++p)
        for_lanes([&](int k) {
            sum[k] +=
                inputs[p].x[k] * inputs[p].x[k] + inputs[p].y[k] * inputs[p].y[k] + inputs[p].z[k] * inputs[p].z[k];
        });
    LanePoints &stretches = inputs[16], &scalars = inputs[17];
    measure_sizes(sum, 16, frames, scalars.x, inverse);
    scalars.y = scalars.z = Lanes{};
    for_lanes([&](int k) {
        stretches.x[k] = limited(stretch.x[k] - 1);
        stretches.y[k] = limited(stretch.y[k]);
        stretches.z[k] = limited(stretch.z[k] - 1);
    });
    for (int p = 0; p < 16; ++p) set(inputs[p], [&](auto of, int k) { return inverse[k] * of(inputs[p]); });
}

Lanes take_heads(const Lanes& log_scale, const Lanes& log_bound, FrameLanes& frames) {
    Lanes bounds;
    for (int k = 0; k < lane_count; ++k) {
        frames.trust[k] *= std::exp(held_log_scale(log_scale[k]));
        bounds[k] = frames.unit[k] * frames.trust[k] * std::exp(log_bound[k]);
    }
    return bounds;
}

void lay_out(const RestTriangle& rest, int lane, RestTriangleLanes& to) {
    // The input of a triangle at rest, whatever its frame, has what is wanted.
    std::array<float, triangle_inputs> input;
    (void)write_canonical_input({Point::Zero(), Point::Zero(), Point::Zero()}, CanonicalFrame{}, rest, input);
    for (size_t i = 0; i < 12; ++i) to.inputs[i][lane] = input[15 + i];
    for (size_t k = 0; k < 3; ++k) {
        to.across[2 * k][lane] = rest.across[k].x();
        to.across[2 * k + 1][lane] = rest.across[k].y();
    }
}

TULLE_FOR_EACH_PROCESSOR void write_canonical_triangle_inputs(const LanePoints* points, const Lanes& units,
                                                              const RestTriangleLanes& rest, FrameLanes& frames,
                                                              Lanes* inputs) {
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
    std::array<LanePoints, 3> shape;
    Lanes sum{}, inverse;
    for (size_t v = 0; v < 3; ++v) {
        to_local(frames, points[by_corner[v]], shape[v]);
        const Lanes &u = rest.across[2 * v], &w = rest.across[2 * v + 1];
        for_lanes([&](int k) {
            shape[v].x[k] -= frames.sound[k] * (stretch.x[k] * u[k] + stretch.y[k] * w[k]);
            shape[v].y[k] -= frames.sound[k] * (stretch.y[k] * u[k] + stretch.z[k] * w[k]);
            sum[k] += shape[v].x[k] * shape[v].x[k] + shape[v].y[k] * shape[v].y[k] + shape[v].z[k] * shape[v].z[k];
        });
    }
    Lanes& sizes = inputs[27];
    measure_sizes(sum, 3, frames, sizes, inverse);
    for (size_t v = 0; v < 3; ++v) {
        for (size_t corner = 0; corner < 3; ++corner)
            for_lanes([&](int k) {
                inputs[4 * v + corner][k] =
                    inverse[k] * component_scale * (d[corner][0] * shape[v].x[k] + d[corner][1] * shape[v].y[k]);
            });
        for_lanes([&](int k) { inputs[4 * v + 3][k] = inverse[k] * shape[v].z[k]; });
    }
    for (size_t corner = 0; corner < 3; ++corner)
        for_lanes([&](int k) {
            const float x = d[corner][0], y = d[corner][1];
            inputs[12 + corner][k] =
                limited(stretch.x[k] * x * x + 2 * stretch.y[k] * x * y + stretch.z[k] * y * y - 1);
        });
    for (int i = 0; i < 12; ++i) inputs[15 + i] = rest.inputs[i];
    inputs[28] = inputs[29] = Lanes{};
}

TULLE_FOR_EACH_PROCESSOR void add_triangle_answers(const FrameLanes& frames, const Lanes* outputs,
                                                   LanePoints* midpoints) {
    std::array<LanePoints, 3> vectors;
    for (size_t i = 0; i < 3; ++i) {
        const Lanes* said = outputs + 4 * ((i + 2) % 3);  // by the corner opposite
        constexpr auto d = corner_directions;
        for_lanes([&](int k) {
            vectors[i].x[k] = component_scale * (d[0][0] * said[0][k] + d[1][0] * said[1][k] + d[2][0] * said[2][k]);
            vectors[i].y[k] = component_scale * (d[0][1] * said[0][k] + d[1][1] * said[1][k] + d[2][1] * said[2][k]);
            vectors[i].z[k] = said[3][k];
        });
    }
    add_in_world(frames, vectors.data(), 3, midpoints);
}

}  // namespace tulle::methods
