// SPDX-License-Identifier: Apache-2.0
// The figure of the mannequin. Lengths in metres; each station is {along, half width, half depth, offsets of its
// centre}.
#include "tulle/body/mannequin.h"

#include <Eigen/Geometry>

namespace tulle::body {

namespace {

const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();

Sweep::Frame between(const Vector3& start, const Vector3& end, const Vector3& width) {
    const Vector3 axis = (end - start).normalized();
    return {start, axis, (width - width.dot(axis) * axis).normalized()};
}

// Depth is towards the back.
Sweep torso() {
    return Sweep({Vector3::Zero(), z, x},
                 {{0.860, 0.145, 0.098, 0, 0.016},
                  {0.90, 0.158, 0.110, 0, 0.017},
                  {0.95, 0.159, 0.110, 0, 0.013},
                  {1.01, 0.148, 0.101, 0, 0.005},
                  {1.08, 0.136, 0.094, 0, 0.000},
                  {1.15, 0.137, 0.098, 0, -0.002},
                  {1.23, 0.149, 0.109, 0, -0.002},
                  {1.30, 0.160, 0.115, 0, 0.000},
                  {1.35, 0.157, 0.107, 0, 0.007},
                  {1.395, 0.136, 0.086, 0, 0.016},
                  {1.43, 0.100, 0.060, 0, 0.024}},
                 0.05, 0.035, 2.2);
}

Sweep shoulder_girdle() {
    return Sweep(between({0, 0.030, 1.452}, {0.172, 0.014, 1.396}, y),
                 {{0.0, 0.055, 0.036}, {0.06, 0.057, 0.038}, {0.12, 0.056, 0.046}, {0.17, 0.056, 0.054}}, 0.02, 0.05);
}

Sweep neck() {
    return Sweep(between({0, 0.034, 1.40}, {0, 0.002, 1.60}, x),
                 {{0.0, 0.064, 0.062}, {0.06, 0.056, 0.058}, {0.11, 0.053, 0.056}, {0.20, 0.053, 0.058}}, 0.03, 0.03);
}

// Depth is towards the back.
Sweep head() {
    return Sweep({Vector3::Zero(), z, x},
                 {{1.545, 0.034, 0.040, 0, -0.046},
                  {1.570, 0.051, 0.066, 0, -0.031},
                  {1.605, 0.064, 0.085, 0, -0.016},
                  {1.645, 0.072, 0.094, 0, -0.006},
                  {1.680, 0.074, 0.096, 0, -0.001}},
                 0.020, 0.070);
}

// Width is towards the back, depth is upward. The elbow is at 0.285, the wrist at 0.54.
Sweep arm() {
    return Sweep({{0.172, 0.012, 1.395}, mannequin_arm_direction(), y},
                 {{0.0, 0.056, 0.054},
                  {0.06, 0.054, 0.053},
                  {0.13, 0.049, 0.049, -0.003},
                  {0.21, 0.044, 0.044, -0.002},
                  {0.285, 0.038, 0.038},
                  {0.34, 0.040, 0.037},
                  {0.42, 0.034, 0.032},
                  {0.50, 0.027, 0.024},
                  {0.545, 0.026, 0.021}},
                 0.05, 0.03);
}

Sweep hand() {
    return Sweep({Vector3(0.172, 0.012, 1.395) + 0.545 * mannequin_arm_direction(), mannequin_arm_direction(), y},
                 {{0.0, 0.026, 0.021},
                  {0.04, 0.036, 0.021},
                  {0.085, 0.040, 0.019},
                  {0.13, 0.036, 0.017, 0, -0.004},
                  {0.155, 0.029, 0.015, 0, -0.008}},
                 0.02, 0.030);
}

Sweep thumb() {
    const Vector3 start = Vector3(0.172, 0.012 - 0.022, 1.395) + 0.585 * mannequin_arm_direction();
    const Vector3 along = 0.82 * mannequin_arm_direction() - 0.57 * y;
    return Sweep(between(start, start + along, z), {{0.0, 0.015, 0.017}, {0.04, 0.014, 0.014}, {0.062, 0.012, 0.012}},
                 0.012, 0.013);
}

// Depth is towards the front. The knee is at 0.425.
Sweep leg() {
    return Sweep(between({0.088, 0.008, 0.915}, {0.110, 0.022, 0.08}, x),
                 {{0.0, 0.084, 0.098, 0.0, -0.014},
                  {0.10, 0.079, 0.091, 0.003, -0.004},
                  {0.22, 0.069, 0.078, 0.002, 0.006},
                  {0.34, 0.058, 0.064, 0, 0.004},
                  {0.425, 0.053, 0.057, 0, 0.004},
                  {0.49, 0.051, 0.056, 0, -0.006},
                  {0.56, 0.052, 0.058, 0, -0.014},
                  {0.66, 0.044, 0.048, 0, -0.010},
                  {0.76, 0.034, 0.037, 0, -0.002},
                  {0.84, 0.033, 0.040, 0, 0.000}},
                 0.06, 0.03);
}

// Depth is upward; the sole is flat on the ground.
Sweep foot() {
    return Sweep({{0.110, 0.052, 0}, -y, x},
                 {{0.0, 0.029, 0.034, 0, 0.034},
                  {0.05, 0.033, 0.040, 0, 0.040},
                  {0.10, 0.036, 0.034, 0.001, 0.034},
                  {0.15, 0.041, 0.026, 0.003, 0.026},
                  {0.19, 0.043, 0.022, 0.004, 0.022},
                  {0.212, 0.040, 0.020, 0.003, 0.020}},
                 0.018, 0.032);
}

}  // namespace

std::vector<BodyPart> mannequin_parts() {
    std::vector<BodyPart> parts = {
        {torso(), 0, {"pelvis", "waist", "spine", "chest"}}, {neck(), 0.045, {"neck"}}, {head(), 0.03, {"head"}}};
    const auto add_both = [&](const Sweep& left, double blend, const std::vector<std::string>& joints) {
        std::vector<std::string> left_joints, right_joints;
        for (const std::string& joint : joints) {
            left_joints.push_back("left_" + joint);
            right_joints.push_back("right_" + joint);
        }
        parts.push_back({left, blend, left_joints});
        parts.push_back({left.mirrored(), blend, right_joints});
    };
    add_both(shoulder_girdle(), 0.06, {"collar"});
    add_both(arm(), 0.06, {"shoulder", "elbow"});
    add_both(hand(), 0.02, {"wrist"});
    add_both(thumb(), 0.018, {"wrist"});
    add_both(leg(), 0.05, {"hip", "knee"});
    add_both(foot(), 0.03, {"ankle"});
    return parts;
}

}  // namespace tulle::body
