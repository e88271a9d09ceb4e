// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/joint_turns.h"

#include <algorithm>
#include <cassert>

namespace tulle::body {

void JointTurns::apply(const Skeleton& skeleton, double time, Pose& pose) const {
    assert(turns.size() == skeleton.joints.size() && pose.size() == skeleton.joints.size());
    const double part = end > start ? std::clamp((time - start) / (end - start), 0.0, 1.0) : 1;
    for (size_t j = 0; j < turns.size(); ++j) {
        const JointAngles angles = turns[j].before + part * (turns[j].after - turns[j].before);
        // A joint that nobody turns keeps the bits of its motion.
        if (angles != JointAngles::Zero())
            pose[j].rotation = pose[j].rotation * joint_rotation(skeleton.joints[j], angles);
    }
}

}  // namespace tulle::body
