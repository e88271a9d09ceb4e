// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pose_inputs.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::methods {

namespace {

Eigen::Quaterniond from_parent(const body::Skeleton& skeleton, const body::Pose& pose, int joint) {
    const auto j = static_cast<size_t>(joint);
    return skeleton.joints[j].rest.rotation.conjugate() * pose[j].rotation;
}

int parent_of(const body::Skeleton& skeleton, int joint) { return skeleton.joints[static_cast<size_t>(joint)].parent; }

bool is_above(const body::Skeleton& skeleton, int above, int joint) {
    for (joint = parent_of(skeleton, joint); joint >= 0; joint = parent_of(skeleton, joint))
        if (joint == above) return true;
    return false;
}

// The nearest joint above all of these; −1: one of them has none above it.
int root_of(const body::Skeleton& skeleton, const std::vector<int>& joints) {
    int root = joints.empty() ? -1 : parent_of(skeleton, joints.front());
    while (root >= 0 && !std::ranges::all_of(joints, [&](int joint) { return is_above(skeleton, root, joint); }))
        root = parent_of(skeleton, root);
    return root;
}

Eigen::Quaterniond from_root(const body::Skeleton& skeleton, const body::Pose& pose, int joint, int root) {
    Eigen::Quaterniond posed = Eigen::Quaterniond::Identity(), resting = posed;
    for (; joint != root; joint = parent_of(skeleton, joint)) {
        posed = pose[static_cast<size_t>(joint)].rotation * posed;
        resting = skeleton.joints[static_cast<size_t>(joint)].rest.rotation * resting;
    }
    return posed * resting.conjugate();
}

}  // namespace

Eigen::VectorXf pose_inputs(const body::Skeleton& skeleton, const std::vector<int>& joints, const body::Pose& pose,
                            JointRotations rotations) {
    Eigen::VectorXf inputs(inputs_per_joint * static_cast<long>(joints.size()));
    const int root = root_of(skeleton, joints);
    for (size_t k = 0; k < joints.size(); ++k) {
        const Matrix3 turned = (rotations == JointRotations::FromRoot ? from_root(skeleton, pose, joints[k], root)
                                                                      : from_parent(skeleton, pose, joints[k]))
                                   .toRotationMatrix();
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
