// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/rigid_motion.h"

#include <algorithm>

namespace tulle::geometry {

namespace {

Keyframe interpolate(const std::vector<Keyframe>& keyframes, double time) {
    const auto next =
        std::find_if(keyframes.begin(), keyframes.end(), [&](const Keyframe& k) { return k.time > time; });
    if (next == keyframes.begin()) return keyframes.front();
    if (next == keyframes.end()) return keyframes.back();
    const Keyframe& a = *(next - 1);
    const Keyframe& b = *next;
    const double s = (time - a.time) / (b.time - a.time);
    return {time, a.translation + s * (b.translation - a.translation), a.angle + s * (b.angle - a.angle)};
}

}  // namespace

Eigen::Isometry3d RigidMotion::at(double time) const {
    if (keyframes.empty()) return Eigen::Isometry3d::Identity();
    const Keyframe now = interpolate(keyframes, time);
    return Eigen::Translation3d(now.translation + center) * Eigen::AngleAxisd(now.angle, axis) *
           Eigen::Translation3d(-center);
}

}  // namespace tulle::geometry
