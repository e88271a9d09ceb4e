// SPDX-License-Identifier: Apache-2.0
// Motions written down as joint angles at a few moments.
#pragma once

#include "tulle/body/clip.h"

#include <string>
#include <utility>
#include <vector>

namespace tulle::body {

using NamedAngles = std::pair<std::string, JointAngles>;  // a joint and its angles [rad]

struct Keyframe {
    double time = 0;                             // [s]
    std::vector<NamedAngles> angles;             // joints that are not named go from the key before to the one after
    Vector3 root_translation = Vector3::Zero();  // [m] of the root from where it rests
};

struct Keyframes {
    std::string name;
    std::vector<Keyframe> keys;  // ascending in time, at least one
    bool is_closed = false;      // the last key is the first again, so that the clip repeats without a jerk
};

// A smooth clip through the keys: angles follow Catmull–Rom splines over time, at rest at both ends unless it is
// closed. Throws an Error if a joint is not there.
Clip make_clip(const Skeleton& skeleton, const Keyframes& keyframes);

// The clip in which joints go smoothly from rest to these angles in `duration` [s].
Clip make_reach(const Skeleton& skeleton, const std::vector<NamedAngles>& angles, double duration);

// A pose between two others: rotations along the shortest arc.
Pose blend(const Pose& from, const Pose& to, double part);

}  // namespace tulle::body
