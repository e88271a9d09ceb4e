// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/step_choice.h"

#include "tulle/geometry/mean_edge.h"
#include "tulle/scene/families/families.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tulle::scene {

namespace {

constexpr double part_of_edge = 0.25;  // that anything may move in a step
constexpr int most = 64;

// The farthest that a point of a collider moves [m].
double way(const collision::Collider& collider, double start, double end) {
    if (collider.deforming)
        return (collider.deforming->positions_at(end) - collider.deforming->positions_at(start))
            .rowwise()
            .norm()
            .maxCoeff();
    if (!collider.motion.moves()) return 0;
    const Eigen::AlignedBox3d bounds = collider.shape->bounds();
    const Eigen::Isometry3d from = collider.motion.at(start), to = collider.motion.at(end);
    if (!bounds.min().allFinite() || !bounds.max().allFinite())  // a plane: its turning is not seen
        return (to.translation() - from.translation()).norm();
    double farthest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3 place = bounds.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner));
        farthest = std::max(farthest, (to * place - from * place).norm());
    }
    return farthest;
}

}  // namespace

bool steps_are_chosen(const Scene& scene, const Method& method) {
    const bool has_contact = !scene.colliders.empty() || scene.self_contact.enabled;
    return has_contact && family_of(method).leaves_steps_open(scene, method);
}

// A fabric that lies on a collider needs a good answer of what the collider presses with, or it creeps.
int fewest_steps(const Scene& scene) {
    const bool is_fabric = std::holds_alternative<Fabric>(scene.cloth.material);
    return is_fabric && !scene.colliders.empty() ? 8 : 4;
}

StepChoice::StepChoice(const physics::ClothModel& model, const physics::World& world, double frame_time, int fewest)
    : model_(model),
      world_(world),
      frame_time_(frame_time),
      fewest_(fewest),
      mean_edge_(geometry::mean_edge(model.mesh)) {}

double StepChoice::fastest(const physics::ClothState& state) const {
    Positions before = state.positions, after = state.positions;
    model_.place_pins(state.time, before);
    model_.place_pins(state.time + frame_time_, after);
    const double pins = (after - before).rowwise().norm().maxCoeff() / frame_time_;
    const double cloth = state.velocities.rowwise().norm().maxCoeff() + world_.gravity.norm() * frame_time_;
    double collider_way = 0;
    for (const collision::Collider& collider : *world_.colliders)
        collider_way = std::max(collider_way, way(collider, state.time, state.time + frame_time_));
    return std::max(cloth, pins) + collider_way / frame_time_;
}

int StepChoice::steps(const physics::ClothState& state) const {
    const double wanted = frame_time_ * fastest(state) / (part_of_edge * mean_edge_);
    if (!(wanted < most)) return most;
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max<double>(fewest_, std::ceil(wanted)))));
}

}  // namespace tulle::scene
