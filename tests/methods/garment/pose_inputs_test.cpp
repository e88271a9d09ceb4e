// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pose_inputs.h"
#include "tests/support/error_of.h"
#include "tulle/body/mannequin.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;

TEST_CASE("A network is told the rotation of each joint from where it rests, row by row") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    const std::vector<int> joints = find_joints(skeleton, {"waist", "left_elbow"}, "model");
    body::Pose pose = skeleton.rest_pose();
    const Eigen::VectorXf rest = pose_inputs(skeleton, joints, pose, JointRotations::FromParent);
    REQUIRE(rest.size() == 18);
    Eigen::Matrix<float, 3, 3, Eigen::RowMajor> matrix;
    for (const int joint : {0, 1}) {
        matrix = Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(rest.data() + 9 * joint);
        CHECK((matrix - Eigen::Matrix3f::Identity()).norm() < 1e-6f);
    }
    const body::JointAngles angles(0.3, -0.2, 0.7);
    body::turn(skeleton, joints[1], angles, pose);
    const Eigen::VectorXf turned = pose_inputs(skeleton, joints, pose, JointRotations::FromParent);
    CHECK(turned.head(9) == rest.head(9));
    matrix = Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(turned.data() + 9);
    const Matrix3 expected =
        body::joint_rotation(skeleton.joints[static_cast<size_t>(joints[1])], angles).toRotationMatrix();
    CHECK((matrix.cast<double>() - expected).norm() < 1e-6);
}

TEST_CASE("Told from the root, a network hears how all joints in between turn a joint, and nothing of the root") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    const std::vector<int> joints = find_joints(skeleton, {"waist", "chest", "left_elbow"}, "model");
    const auto told = [&](const body::Pose& pose, int joint) {
        const Eigen::VectorXf inputs = pose_inputs(skeleton, joints, pose, JointRotations::FromRoot);
        const Eigen::Matrix<float, 3, 3, Eigen::RowMajor> matrix =
            Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(inputs.data() + 9 * joint);
        return Matrix3(matrix.cast<double>());
    };
    body::Pose pose = skeleton.rest_pose();
    for (const int joint : {0, 1, 2}) CHECK((told(pose, joint) - Matrix3::Identity()).norm() < 1e-6);
    body::turn(skeleton, skeleton.find("waist"), {0.2, 0.1, -0.1}, pose);
    body::turn(skeleton, skeleton.find("chest"), {-0.1, 0.3, 0.2}, pose);
    body::turn(skeleton, joints[2], {0.9, 0, 0.3}, pose);
    const body::Affines resting = skeleton.place(skeleton.rest_pose()), placed = skeleton.place(pose);
    for (const int k : {0, 1, 2}) {
        const auto j = static_cast<size_t>(joints[static_cast<size_t>(k)]);
        CHECK((told(pose, k) - placed[j].linear() * resting[j].linear().transpose()).norm() < 1e-6);
    }
    body::Pose turned = pose;
    body::turn(skeleton, skeleton.find("pelvis"), {0.3, 0.2, 2}, turned);
    for (const int k : {0, 1, 2}) CHECK((told(turned, k) - told(pose, k)).norm() < 1e-6);
}

TEST_CASE("Told from the root, a network does not mind what is above the joints that it is told of") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    body::Skeleton exported;  // as many programs do it, below a node of its own
    exported.joints.push_back({.name = "armature", .parent = -1});
    for (body::Joint joint : skeleton.joints) {
        ++joint.parent;
        exported.joints.push_back(joint);
    }
    const std::vector<std::string> names = {"waist", "left_shoulder", "right_elbow"};
    const auto told = [&](const body::Skeleton& body, const body::Pose& pose) {
        return pose_inputs(body, find_joints(body, names, "model"), pose, JointRotations::FromRoot);
    };
    body::Pose pose = skeleton.rest_pose(), same = exported.rest_pose();
    for (const char* name : {"pelvis", "waist", "spine", "left_shoulder"}) {
        body::turn(skeleton, skeleton.find(name), {0.2, 0.1, -0.3}, pose);
        body::turn(exported, exported.find(name), {0.2, 0.1, -0.3}, same);
    }
    CHECK((told(exported, same) - told(skeleton, pose)).norm() < 1e-6);
}

TEST_CASE("Told of the root itself, a network hears how it is turned") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    const std::vector<int> joints = find_joints(skeleton, {"pelvis", "waist"}, "model");
    body::Pose pose = skeleton.rest_pose();
    const Eigen::VectorXf rest = pose_inputs(skeleton, joints, pose, JointRotations::FromRoot);
    body::turn(skeleton, joints[0], {0.3, 0, 0}, pose);
    const Eigen::VectorXf turned = pose_inputs(skeleton, joints, pose, JointRotations::FromRoot);
    CHECK((turned.head(9) - rest.head(9)).norm() > 0.1);
    CHECK((turned.tail(9) - turned.head(9)).norm() < 1e-6);
}

TEST_CASE("A joint that the body does not have is named") {
    const std::string message = test::error_naming("model", [] {
        (void)find_joints(body::mannequin_skeleton(), {"waist", "tail"}, "model");
    });
    CHECK(test::contains(message, "'tail'"));
}
