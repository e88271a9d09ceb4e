// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/character.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"

namespace tulle::body {

Pose random_pose(const Skeleton& skeleton, const std::vector<std::string>& joints, std::uint64_t seed) {
    Random random(seed);
    Pose pose = skeleton.rest_pose();
    for (const std::string& name : joints) {
        const int joint = skeleton.find(name);
        if (joint < 0) throw Error("the skeleton has no joint '{}'", name);
        const JointLimits& limits = skeleton.joints[static_cast<size_t>(joint)].limits;
        JointAngles angles;
        for (int k = 0; k < 3; ++k) angles(k) = random.uniform(limits.low(k), limits.high(k));
        turn(skeleton, joint, angles, pose);
    }
    return pose;
}

}  // namespace tulle::body
