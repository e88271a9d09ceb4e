// SPDX-License-Identifier: Apache-2.0
// Motions that come with the mannequin. Angles in degrees: bend, spread and twist of each joint.
#include "tulle/body/keyframes.h"
#include "tulle/body/mannequin.h"

#include <cmath>
#include <numbers>

namespace tulle::body {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double degree = pi / 180;

class KeyMaker {
public:
    explicit KeyMaker(double time) { key_.time = time; }
    KeyMaker& turn(const std::string& joint, double bend, double spread = 0, double twist = 0) {
        key_.angles.emplace_back(joint, degree * JointAngles(bend, spread, twist));
        return *this;
    }
    KeyMaker& both(const std::string& joint, double bend, double spread = 0, double twist = 0) {
        turn("left_" + joint, bend, spread, twist);
        return turn("right_" + joint, bend, spread, twist);
    }
    Keyframe at(const Vector3& root) {
        key_.root_translation = root;
        return key_;
    }

private:
    Keyframe key_;
};

// A step in place with each foot; arms swing against the legs. s runs from 0 to 1 over both steps.
Keyframe walking(double time, double s) {
    const double swing = std::sin(2 * pi * s), lift = std::cos(2 * pi * s);
    KeyMaker key(time);
    key.turn("left_hip", 5 + 25 * swing).turn("right_hip", 5 - 25 * swing);
    key.turn("left_knee", 12 + 38 * std::max(lift, 0.0)).turn("right_knee", 12 + 38 * std::max(-lift, 0.0));
    key.turn("left_ankle", -4 + 8 * swing).turn("right_ankle", -4 - 8 * swing);
    key.turn("left_shoulder", 4 - 26 * swing, -24).turn("right_shoulder", 4 + 26 * swing, -24);
    key.turn("left_elbow", 24 - 12 * swing).turn("right_elbow", 24 + 12 * swing);
    key.turn("waist", 2, 2 * lift, -3 * swing).turn("chest", 1, -2 * lift, 5 * swing);
    return key.at({0, 0, -0.012 * (1 + std::cos(4 * pi * s)) / 2});
}

Keyframes walk() {
    constexpr double period = 1.1;  // [s] two steps
    constexpr int parts = 12;
    Keyframes clip{.name = "walk", .keys = {}, .is_closed = true};
    for (int i = 0; i <= parts; ++i) {
        const double s = static_cast<double>(i) / parts;
        clip.keys.push_back(walking(period * s, s));
    }
    return clip;
}

// Eight seconds: it sways, swings its arms to both sides, raises them, twists, and comes to rest.
Keyframes dance() {
    Keyframes clip{.name = "dance", .keys = {}, .is_closed = false};
    const auto legs = [](KeyMaker& key, double dip, double side) {
        key.turn("left_hip", dip, 6 - side).turn("right_hip", dip, 6 + side);
        key.both("knee", 2 * dip).both("ankle", dip * 0.9);
    };
    const auto add = [&](double time, double sway, double twist, double dip, const Vector3& left_arm,
                         const Vector3& right_arm, double left_elbow, double right_elbow, double shrug) {
        KeyMaker key(time);
        key.turn("waist", dip * 0.2, sway, twist)
            .turn("spine", dip * 0.15, sway, twist)
            .turn("chest", 0, 0.5 * sway, twist);
        key.turn("neck", 0, -sway, -twist).turn("head", 0, -0.6 * sway, -twist);
        key.turn("pelvis", 0, -0.4 * sway, 0);
        key.turn("left_shoulder", left_arm.x(), left_arm.y(), left_arm.z());
        key.turn("right_shoulder", right_arm.x(), right_arm.y(), right_arm.z());
        key.turn("left_elbow", left_elbow).turn("right_elbow", right_elbow);
        key.both("collar", 0, shrug);
        legs(key, dip, 0.4 * sway);
        clip.keys.push_back(key.at({-0.004 * sway, 0, -0.00012 * dip * dip}));
    };
    add(0.0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, 0);
    add(0.8, 6, 3, 14, {20, 10, 0}, {-10, -10, 0}, 45, 30, 2);
    add(1.6, -6, -3, 14, {-10, -10, 0}, {20, 10, 0}, 30, 45, 2);
    add(2.4, 7, 7, 8, {45, 20, 10}, {-20, 15, 0}, 60, 25, 4);
    add(3.2, -7, -7, 8, {-20, 15, 0}, {45, 20, 10}, 25, 60, 4);
    add(4.0, 0, 0, 18, {30, -10, 0}, {30, -10, 0}, 80, 80, 0);
    add(4.8, 0, 0, 2, {10, 55, 0}, {10, 55, 0}, 20, 20, 14);
    add(5.6, 7, 8, 10, {0, 45, 0}, {10, 30, 0}, 40, 50, 10);
    add(6.4, -7, -8, 10, {10, 30, 0}, {0, 45, 0}, 50, 40, 10);
    add(7.2, 3, 2, 8, {10, 0, 0}, {10, -5, 0}, 30, 30, 2);
    add(8.0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, 0);
    return clip;
}

}  // namespace

std::vector<Clip> mannequin_clips(const Skeleton& skeleton) {
    return {make_clip(skeleton, dance()), make_clip(skeleton, walk())};
}

}  // namespace tulle::body
