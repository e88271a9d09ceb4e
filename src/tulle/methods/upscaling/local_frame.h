// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

using Point = Eigen::Vector3f;  // [m]

// 98 % of the flags' training patches are stretched less than the first, 87 % of the curtains'; nearly all less than
// the second.
inline constexpr float familiar_stretch = 1.2f, strange_stretch = 1.6f;
inline constexpr float least_area = 1e-3f;  // of the rest area; below, the normal is mostly rounding

// The frame of a piece of cloth: what is said in it turns and moves with the piece. Lengths are in units of the rest
// spacing, so that nothing depends on the size of the cloth either.
struct LocalFrame {
    Point origin = Point::Zero();                        // [m]
    Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  // its columns: along the piece, across it, normal
    float unit = 1;                                      // [m] rest spacing
    float trust = 1;  // in what a network says: none for a piece stretched far beyond all that networks are trained on
    bool sound = false;  // false: the piece has collapsed and has no normal

    Eigen::Vector3f direction_to_local(const Point& d) const { return axes.transpose() * d / unit; }
    Eigen::Vector3f direction_to_world(const Eigen::Vector3f& d) const { return trust * unit * (axes * d); }
};

// `along` and `across` span the piece and are each about `unit` long at rest.
inline LocalFrame make_frame(const Point& origin, const Point& along, const Point& across, float unit) {
    const Eigen::Vector3f normal = along.cross(across);
    const float area = normal.norm();
    LocalFrame frame{.origin = origin, .unit = unit};
    frame.sound = area > least_area * unit * unit && along.squaredNorm() > 0;
    if (!frame.sound) return frame;
    const float stretch = std::sqrt(std::max(along.squaredNorm(), across.squaredNorm())) / unit;
    frame.trust = std::clamp((strange_stretch - stretch) / (strange_stretch - familiar_stretch), 0.0f, 1.0f);
    frame.axes.col(0) = along * (1 / along.norm());
    frame.axes.col(2) = normal * (1 / area);
    frame.axes.col(1) = frame.axes.col(2).cross(frame.axes.col(0));
    return frame;
}

}  // namespace tulle::methods
