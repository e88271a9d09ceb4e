// SPDX-License-Identifier: Apache-2.0
#include "tulle/live/joint_glide.h"

#include "tulle/body/mannequin.h"
#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::live {

namespace {

constexpr double fastest_joint = 2;  // [rad/s] a hand then moves at about 1.2 m/s

bool is_mannequin(const scene::ColliderSettings& collider) {
    const auto* body = std::get_if<scene::BodySolid>(&collider.shape);
    return body && body->placement.file.empty();
}

}  // namespace

std::vector<body::Joint> turnable_joints(const scene::Scene& scene) {
    if (std::ranges::none_of(scene.colliders, is_mannequin)) return {};
    return body::mannequin_skeleton().joints;
}

void require_turnable(const std::vector<body::Joint>& joints, const std::string& name,
                      const body::JointAngles& angles) {
    const auto found = std::ranges::find(joints, name, &body::Joint::name);
    if (found == joints.end()) throw Error("there is no joint '{}' that can be turned", name);
    constexpr double rounding = 1e-6;  // [rad]
    const auto& [low, high] = found->limits;
    if ((angles - low).minCoeff() < -rounding || (high - angles).minCoeff() < -rounding)
        throw Error("'{}' does not turn so far", name);
}

JointGlide::JointGlide(scene::Scene& scene) : joints_(turnable_joints(scene)) {
    if (joints_.empty()) return;
    turns_ = std::make_shared<body::JointTurns>();
    restart();
    std::get<scene::BodySolid>(std::ranges::find_if(scene.colliders, is_mannequin)->shape).turns = turns_;
}

void JointGlide::want(const std::string& joint, const body::JointAngles& angles) {
    require_turnable(joints_, joint, angles);
    wanted_[joint] = angles;
}

void JointGlide::advance(double time, double seconds) {
    if (wanted_.empty()) return;
    const double most = fastest_joint * seconds;
    for (size_t j = 0; j < joints_.size(); ++j) {
        auto& [before, after] = turns_->turns[j];
        before = after;
        if (const auto found = wanted_.find(joints_[j].name); found != wanted_.end())
            after += (found->second - before).cwiseMin(most).cwiseMax(-most);
    }
    turns_->start = time;
    turns_->end = time + seconds;
}

void JointGlide::restart() {
    if (turns_) *turns_ = {.turns = std::vector<body::JointTurns::Turn>(joints_.size())};
}

void JointGlide::go_on_from(const JointGlide& other) {
    wanted_ = other.wanted_;
    if (turns_ && other.turns_) *turns_ = *other.turns_;
}

}  // namespace tulle::live
