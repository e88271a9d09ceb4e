// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <Eigen/Geometry>

#include <vector>

namespace tulle::geometry {

struct Keyframe {
    double time = 0;                        // [s]
    Vector3 translation = Vector3::Zero();  // [m]
    double angle = 0;                       // [rad] about RigidMotion::axis; may pass a full turn
};

// How a collider or a group of pins moves: it turns about an axis through `center` and is then translated, with both
// interpolated linearly between keyframes and held before the first and after the last.
struct RigidMotion {
    Vector3 center = Vector3::Zero();  // [m]
    Vector3 axis = Vector3::UnitZ();   // unit
    std::vector<Keyframe> keyframes;   // ascending in time; empty: still

    bool moves() const { return keyframes.size() > 1; }
    Eigen::Isometry3d at(double time) const;
};

}  // namespace tulle::geometry
