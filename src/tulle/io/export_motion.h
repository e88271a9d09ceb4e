// SPDX-License-Identifier: Apache-2.0
// What every export needs to know of a moving cloth. Only for the .cpp files of this folder.
#pragma once

#include "tulle/io/cache_reader.h"

#include <Eigen/Geometry>

namespace tulle::io {

// To y up: from z up that is (x, y, z) → (x, z, −y), exact, and a rotation, so that triangles keep their front.
inline Positions to_y_up(const Positions& points, char up_axis) {
    if (up_axis == 'y') return points;
    Positions turned(points.rows(), 3);
    turned << points.col(0), points.col(2), -points.col(1);
    return turned;
}

inline Matrix3 y_up_rotation(char up_axis) {
    if (up_axis == 'y') return Matrix3::Identity();
    return (Matrix3() << 1, 0, 0, 0, 0, 1, 0, -1, 0).finished();
}

// Velocities of a frame: those of the cache, or else differences between its neighbours.
Velocities frame_velocities(const CacheReader& cache, long frame);

// The transforms of a rigid collider at every frame, rest to world; just one if it never moves.
std::vector<Eigen::Isometry3d> collider_motion(const CacheReader& cache, size_t collider);

}  // namespace tulle::io
