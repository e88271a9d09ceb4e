// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pose_inputs.h"

#include "tulle/core/error.h"

namespace tulle::methods {

Eigen::VectorXf pose_inputs(const body::Skeleton& skeleton, const std::vector<int>& joints, const body::Pose& pose) {
    Eigen::VectorXf inputs(inputs_per_joint * static_cast<long>(joints.size()));
    for (size_t k = 0; k < joints.size(); ++k) {
        const auto j = static_cast<size_t>(joints[k]);
        const Matrix3 turned = (skeleton.joints[j].rest.rotation.conjugate() * pose[j].rotation).toRotationMatrix();
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
