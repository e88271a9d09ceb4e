// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/character.h"

#include "tulle/body/random_angles.h"

namespace tulle::body {

Pose random_pose(const Skeleton& skeleton, const std::vector<std::string>& joints, std::uint64_t seed) {
    Pose pose = skeleton.rest_pose();
    for (const auto& [name, angles] : random_angles(skeleton, joints, seed))
        turn(skeleton, skeleton.find(name), angles, pose);
    return pose;
}

}  // namespace tulle::body
