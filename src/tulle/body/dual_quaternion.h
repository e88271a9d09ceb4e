// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

namespace tulle::body {

// A rigid motion x → r x r* + 2 d r*: r is its rotation, d = ½ t r where t is its translation (Kavan et al. 2007).
struct DualQuaternion {
    Eigen::Quaterniond real, dual;
};

// Of the rotation nearest to the linear part.
inline DualQuaternion to_dual_quaternion(const Eigen::Affine3d& transform) {
    const Eigen::Quaterniond rotation = Eigen::Quaterniond(transform.rotation()).normalized();
    const Eigen::Vector3d t = 0.5 * transform.translation();
    return {rotation, Eigen::Quaterniond(0, t.x(), t.y(), t.z()) * rotation};
}

}  // namespace tulle::body
