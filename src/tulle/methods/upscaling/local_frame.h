// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace tulle::methods {

using Point = Eigen::Vector3f;  // [m]

inline constexpr float least_area = 1e-3f;  // of the rest area; below, the normal is mostly rounding

// The frame of a piece of cloth: what is said in it turns and moves with the piece. Lengths are in units of the rest
// spacing, so that nothing depends on the size of the cloth either.
struct LocalFrame {
    Point origin = Point::Zero();                        // [m]
    Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  // its columns: along the piece, across it, normal
    float unit = 1;                                      // [m] rest spacing
    bool sound = false;                                  // false: the piece has collapsed and has no normal

    Eigen::Vector3f direction_to_local(const Point& d) const { return axes.transpose() * d / unit; }
    Eigen::Vector3f direction_to_world(const Eigen::Vector3f& d) const { return unit * (axes * d); }
};

}  // namespace tulle::methods
