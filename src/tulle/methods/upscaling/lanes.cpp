// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/lanes.h"

#include "tulle/methods/upscaling/lane_loops.h"

namespace tulle::methods {

namespace {

typedef float Row __attribute__((vector_size(16), aligned(4), may_alias));  // x, y, z and nothing

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
