// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/skeleton.h"

#include <algorithm>
#include <cassert>

namespace tulle::body {

Eigen::Affine3d JointTransform::matrix() const {
    return Eigen::Translation3d(translation) * rotation * Eigen::Scaling(scale);
}

int Skeleton::find(const std::string& name) const {
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
    return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

Pose Skeleton::rest_pose() const {
    Pose pose;
    pose.reserve(joints.size());
    for (const Joint& joint : joints) pose.push_back(joint.rest);
    return pose;
}

Affines Skeleton::place(const Pose& pose) const {
    assert(pose.size() == joints.size());
    Affines placed;
    placed.reserve(joints.size());
    for (size_t j = 0; j < joints.size(); ++j) {
        const int parent = joints[j].parent;
        assert(parent < static_cast<int>(j));
        const Eigen::Affine3d local = pose[j].matrix();
        placed.push_back(parent < 0 ? local : placed[static_cast<size_t>(parent)] * local);
    }
    return placed;
}

Eigen::Quaterniond joint_rotation(const Joint& joint, const JointAngles& angles) {
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    for (int k = 0; k < 3; ++k) rotation = rotation * Eigen::AngleAxisd(angles(k), Vector3(joint.axes.col(k)));
    return rotation;
}

void turn(const Skeleton& skeleton, int joint, const JointAngles& angles, Pose& pose) {
    const Joint& turned = skeleton.joints[static_cast<size_t>(joint)];
    pose[static_cast<size_t>(joint)].rotation = turned.rest.rotation * joint_rotation(turned, angles);
}

}  // namespace tulle::body
