// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pose_inputs.h"

#include "tulle/core/error.h"

namespace tulle::methods {

namespace {

Eigen::Quaterniond from_parent(const body::Skeleton& skeleton, const body::Pose& pose, int joint) {
    const auto j = static_cast<size_t>(joint);
    return skeleton.joints[j].rest.rotation.conjugate() * pose[j].rotation;
}

Eigen::Quaterniond from_root(const body::Skeleton& skeleton, const body::Pose& pose, int joint) {
    Eigen::Quaterniond posed = Eigen::Quaterniond::Identity(), resting = posed;
    for (; joint >= 0 && skeleton.joints[static_cast<size_t>(joint)].parent >= 0;
         joint = skeleton.joints[static_cast<size_t>(joint)].parent) {
        posed = pose[static_cast<size_t>(joint)].rotation * posed;
        resting = skeleton.joints[static_cast<size_t>(joint)].rest.rotation * resting;
    }
    return posed * resting.conjugate();
}

}  // namespace

Eigen::VectorXf pose_inputs(const body::Skeleton& skeleton, const std::vector<int>& joints, const body::Pose& pose,
                            JointRotations rotations) {
    Eigen::VectorXf inputs(inputs_per_joint * static_cast<long>(joints.size()));
    for (size_t k = 0; k < joints.size(); ++k) {
        const auto turn = rotations == JointRotations::FromRoot ? from_root : from_parent;
        const Matrix3 turned = turn(skeleton, pose, joints[k]).toRotationMatrix();
        using RowMajor = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
        Eigen::Map<RowMajor>(inputs.data() + inputs_per_joint * k) = turned.cast<float>();
    }
    return inputs;
}

std::vector<int> find_joints(const body::Skeleton& skeleton, const std::vector<std::string>& names,
                             const std::string& source) {
    std::vector<int> joints;
    for (const std::string& name : names) {
        joints.push_back(skeleton.find(name));
        if (joints.back() < 0)
            throw Error("'{}' was trained on a body with a joint '{}', which this body does not have", source, name);
    }
    return joints;
}

}  // namespace tulle::methods
