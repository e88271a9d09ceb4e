// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/joint_turns.h"
#include "tests/body/arm.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::body;

TEST_CASE("Turned joints go evenly from where they were, on top of the motion, and the others keep its bits") {
    const Skeleton skeleton = test::arm_skeleton();
    const JointTurns turns{.turns = {{}, {.before = {0, 0, 0.2}, .after = {0, 0, 0.6}}},  // about z
                           .start = 1,
                           .end = 3};
    Pose motion = skeleton.rest_pose();
    turn(skeleton, 0, {0.3, 0, 0}, motion);
    turn(skeleton, 1, {0, 0, 0.1}, motion);
    for (const auto& [time, angle] :
         std::vector<std::pair<double, double>>{{0, 0.3}, {1, 0.3}, {2, 0.5}, {3, 0.7}, {9, 0.7}}) {
        Pose pose = motion;
        turns.apply(skeleton, time, pose);
        CHECK(Eigen::Quaterniond::Identity().angularDistance(pose[1].rotation) == test::near(angle));
        CHECK(pose[0].rotation.coeffs() == motion[0].rotation.coeffs());
    }
}
