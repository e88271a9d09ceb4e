// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/skeleton.h"

#include <string>
#include <vector>

namespace tulle::methods {

inline constexpr int inputs_per_joint = 9;

// How a joint is turned: against its parent, or against the root, with all joints in between. What a garment does at
// the hem depends on how the chest leans, not on which of three joints of the back leans it. The root is the nearest
// joint above all that the network is told of: what is above it turns the whole body, and the garment along.
enum class JointRotations { FromParent, FromRoot };

// What a garment's network is told of a pose: for each of the joints the matrix of its rotation from where it rests,
// row by row. 9|J| numbers.
Eigen::VectorXf pose_inputs(const body::Skeleton& skeleton, const std::vector<int>& joints, const body::Pose& pose,
                            JointRotations rotations);

// Where these joints are in the skeleton. Throws an Error that names `source` if one is not there.
std::vector<int> find_joints(const body::Skeleton& skeleton, const std::vector<std::string>& names,
                             const std::string& source);

}  // namespace tulle::methods
