// SPDX-License-Identifier: Apache-2.0
// What every export needs to know of a moving cloth. Only for the .cpp files of this folder.
#pragma once

#include "tulle/io/cache_reader.h"

#include <Eigen/Geometry>

#include <set>
#include <string>
#include <vector>

namespace tulle::io {

// To y up: from z up that is (x, y, z) → (x, z, −y), exact, and a rotation, so that triangles keep their front.
inline Positions to_y_up(const Positions& points, char up_axis) {
    if (up_axis == 'y') return points;
    Positions turned(points.rows(), 3);
    turned << points.col(0), points.col(2), -points.col(1);
    return turned;
}

// And back: from y up to z up that is (x, y, z) → (x, −z, y).
inline Positions to_up(const Positions& points, char from, char to) {
    if (from == to) return points;
    if (to == 'y') return to_y_up(points, from);
    Positions turned(points.rows(), 3);
    turned << points.col(0), -points.col(2), points.col(1);
    return turned;
}

inline Matrix3 y_up_rotation(char up_axis) {
    if (up_axis == 'y') return Matrix3::Identity();
    return (Matrix3() << 1, 0, 0, 0, 0, 1, 0, -1, 0).finished();
}

// The rest shape with faces: its own, or the quads of a grid; empty if there are only triangles.
geometry::TriangleMesh mesh_to_export(const CacheHeader& header);

// A name for a file of a collider: without a path, whatever a scene calls it, and different from the others.
std::string collider_file_name(std::string name, std::set<std::string>& taken);

// Velocities of a frame: those of the cache, or else differences between its neighbours.
Velocities frame_velocities(const CacheReader& cache, long frame);

// The transforms of a rigid collider at every frame, rest to world; just one if it never moves.
std::vector<Eigen::Isometry3d> collider_motion(const CacheReader& cache, size_t collider);

}  // namespace tulle::io
