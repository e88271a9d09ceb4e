// SPDX-License-Identifier: Apache-2.0
// The joints of the mannequin. Lengths follow the usual proportions of a body of 1.75 m (Drillis and Contini 1966).
#include "tulle/body/mannequin.h"

#include <cmath>
#include <numbers>

namespace tulle::body {

namespace {

constexpr double degree = std::numbers::pi / 180;

Vector3 mirror(const Vector3& v) { return {-v.x(), v.y(), v.z()}; }

// In the world as the mannequin rests: z is up, it looks along −y, its left is +x. Angles in degrees.
struct JointPlan {
    const char* name;
    const char* parent;  // empty: the root
    Vector3 place;       // [m]
    Vector3 bend, spread, twist;
    Vector3 low, high;  // [°] limits of the three
};

const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();

// Bends forward, to its left, and turns its left side back.
JointPlan trunk(const char* name, const char* parent, const Vector3& place, const Vector3& low, const Vector3& high) {
    return {name, parent, place, x, y, z, low, high};
}

// Bends and spreads such that both arms, or both legs, do the same with the same angles.
std::vector<JointPlan> left_limbs() {
    const Vector3 arm = mannequin_arm_direction();
    const Vector3 above_arm = arm.cross(y);  // at a right angle to it, upward
    const Vector3 shoulder = {0.172, 0.012, 1.395};
    const Vector3 elbow = shoulder + 0.285 * arm;
    const Vector3 wrist = elbow + 0.255 * arm;
    return {
        {"collar", "chest", {0.035, -0.01, 1.40}, -z, -y, x, {-8, -5, 0}, {12, 18, 0}},
        {"shoulder", "collar", shoulder, -above_arm, -y, arm, {-30, -25, -40}, {65, 65, 40}},
        {"elbow", "shoulder", elbow, -above_arm, -y, arm, {0, 0, -40}, {115, 0, 40}},
        {"wrist", "elbow", wrist, -above_arm, -y, arm, {-15, -35, 0}, {15, 35, 0}},
        {"hip", "pelvis", {0.088, 0.005, 0.915}, -x, -y, z, {-20, -4, -20}, {75, 30, 20}},
        {"knee", "hip", {0.1, 0.008, 0.49}, x, -y, z, {0, 0, 0}, {110, 0, 0}},
        {"ankle", "knee", {0.11, 0.02, 0.08}, -x, -y, z, {-30, -5, -5}, {20, 5, 5}},
    };
}

std::vector<JointPlan> trunk_joints() {
    return {
        trunk("pelvis", "", {0, 0.005, 0.96}, {-20, -15, -180}, {20, 15, 180}),
        trunk("waist", "pelvis", {0, 0.01, 1.04}, {-7, -9, -10}, {14, 9, 10}),
        trunk("spine", "waist", {0, 0.008, 1.15}, {-7, -9, -10}, {14, 9, 10}),
        trunk("chest", "spine", {0, 0.012, 1.27}, {-7, -8, -10}, {10, 8, 10}),
        trunk("neck", "chest", {0, 0.028, 1.455}, {-20, -18, -30}, {22, 18, 30}),
        trunk("head", "neck", {0, 0.005, 1.57}, {-15, -10, -25}, {15, 10, 25}),
    };
}

}  // namespace

Vector3 mannequin_arm_direction() {
    constexpr double below = 42 * degree;  // the horizontal
    return {std::cos(below), 0, -std::sin(below)};
}

Skeleton mannequin_skeleton() {
    Skeleton skeleton;
    std::vector<Vector3> places;
    const auto add = [&](const std::string& name, const std::string& parent, const JointPlan& plan, bool is_mirrored) {
        const Vector3 place = is_mirrored ? mirror(plan.place) : plan.place;
        Joint joint{.name = name, .parent = parent.empty() ? -1 : skeleton.find(parent)};
        joint.rest.translation = joint.parent < 0 ? place : Vector3(place - places[static_cast<size_t>(joint.parent)]);
        // A turn about a in a mirror is one about the mirrored axis, the other way round.
        const auto axis = [&](const Vector3& a) { return is_mirrored ? Vector3(-mirror(a)) : a; };
        joint.axes << axis(plan.bend), axis(plan.spread), axis(plan.twist);
        joint.limits = {degree * plan.low, degree * plan.high};
        skeleton.joints.push_back(joint);
        places.push_back(place);
    };
    for (const JointPlan& plan : trunk_joints()) add(plan.name, plan.parent, plan, false);
    for (const bool is_right : {false, true})
        for (const JointPlan& plan : left_limbs()) {
            const std::string side = is_right ? "right_" : "left_", parent = plan.parent;
            add(side + plan.name, skeleton.find(parent) < 0 ? side + parent : parent, plan, is_right);
        }
    return skeleton;
}

const std::vector<std::string>& mannequin_upper_joints() {
    static const std::vector<std::string> names = {"waist",          "spine",         "chest",      "neck",
                                                   "left_collar",    "left_shoulder", "left_elbow", "right_collar",
                                                   "right_shoulder", "right_elbow"};
    return names;
}

}  // namespace tulle::body
