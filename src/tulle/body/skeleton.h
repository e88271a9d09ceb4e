// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace tulle::body {

using Affines = std::vector<Eigen::Affine3d>;

// From a joint's frame to that of its parent: scaled, turned, then translated.
struct JointTransform {
    Vector3 translation = Vector3::Zero();  // [m]
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vector3 scale = Vector3::Ones();

    Eigen::Affine3d matrix() const;
};

// Three angles [rad] about the axes of a joint: it bends, spreads and twists. The twist is applied first.
using JointAngles = Vector3;

struct JointLimits {
    JointAngles low = JointAngles::Zero();
    JointAngles high = JointAngles::Zero();
};

struct Joint {
    std::string name;
    int parent = -1;                     // before it in the list; -1: a root
    JointTransform rest;                 // where it is when the body rests
    Matrix3 axes = Matrix3::Identity();  // columns: what it bends, spreads and twists about, unit, in its own frame
    JointLimits limits;
};

// Where every joint is in its parent's frame: joint rotations, and the translation of the root.
using Pose = std::vector<JointTransform>;

struct Skeleton {
    std::vector<Joint> joints;  // parents first

    int joint_count() const { return static_cast<int>(joints.size()); }
    int find(const std::string& name) const;  // -1: there is none

    Pose rest_pose() const;
    // From the frame of each joint to the world.
    Affines place(const Pose& pose) const;
};

// The rotation that these angles are, in the frame of the joint.
Eigen::Quaterniond joint_rotation(const Joint& joint, const JointAngles& angles);

// Turns a joint by these angles from where it rests.
void turn(const Skeleton& skeleton, int joint, const JointAngles& angles, Pose& pose);

}  // namespace tulle::body
