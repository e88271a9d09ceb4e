// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/skeleton.h"

#include <vector>

namespace tulle::body {

// Angles by which joints are turned further than a motion has them. They go evenly from one moment to another.
struct JointTurns {
    struct Turn {
        JointAngles before = JointAngles::Zero();  // [rad] until `start`
        JointAngles after = JointAngles::Zero();   // [rad] from `end` on
    };
    std::vector<Turn> turns;    // by joint
    double start = 0, end = 0;  // [s]

    void apply(const Skeleton& skeleton, double time, Pose& pose) const;
};

}  // namespace tulle::body
