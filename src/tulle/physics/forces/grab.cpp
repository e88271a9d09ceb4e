// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/forces/grab.h"

#include "tulle/geometry/mean_edge.h"

#include <algorithm>

namespace tulle::physics {

namespace {

// (1 − (d/r)²)², which ends flat.
double falloff(double squared_distance, double radius) {
    const double rest = std::max(0.0, 1 - squared_distance / (radius * radius));
    return rest * rest;
}

}  // namespace

Vector3 HeldPatch::mean(const Positions& rows) const {
    Vector3 sum = Vector3::Zero();
    for (size_t i = 0; i < vertices.size(); ++i)
        sum += weights(static_cast<long>(i)) * rows.row(vertices[i]).transpose();
    return sum;
}

HeldPatch held_patch(const ClothModel& model, const Vector3& point, double radius) {
    const std::vector<bool> pinned = model.pinned();
    const auto squared_distance = [&](int v) {
        return (model.start_positions.row(v).transpose() - point).squaredNorm();
    };
    HeldPatch patch;
    std::vector<double> shares;  // [kg]
    int nearest = -1;
    for (int v = 0; v < model.vertex_count(); ++v) {
        if (pinned[static_cast<size_t>(v)]) continue;
        if (nearest < 0 || squared_distance(v) < squared_distance(nearest)) nearest = v;
        const double share = model.masses(v) * falloff(squared_distance(v), radius);
        if (share == 0) continue;
        patch.vertices.push_back(v);
        shares.push_back(share);
    }
    if (patch.vertices.empty() && nearest >= 0) {
        patch.vertices = {nearest};
        shares = {1};
    }
    patch.weights = Eigen::Map<const VectorX>(shares.data(), static_cast<long>(shares.size()));
    patch.weights /= patch.weights.sum();
    double mobility = 0;  // [1/kg]
    for (size_t i = 0; i < patch.vertices.size(); ++i) {
        const double weight = patch.weights(static_cast<long>(i));
        mobility += weight * weight / model.masses(patch.vertices[i]);
    }
    patch.mass = mobility > 0 ? 1 / mobility : 0;
    return patch;
}

Vector3 grab_pull(const Grab& grab, double mass, const Vector3& point, const Vector3& velocity) {
    Vector3 way = grab.target + grab.offset - point;
    if (const double length = way.norm(); length > grab.reach) way *= grab.reach / length;
    return mass / grab.reaction_time * (way / grab.reaction_time - velocity);
}

Grabs::Grabs(const ClothModel& model, const Interaction& interaction) : model_(model), interaction_(interaction) {}

const HeldPatch& Grabs::patch_of(const Grab& grab) const {
    const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
        return held.point == grab.point && held.radius == grab.radius;
    });
    if (found != held_.end()) return found->patch;
    constexpr size_t most = 16;
    if (held_.size() == most) held_.clear();
    // A coarse cloth has few vertices, but a hand holds as much of it.
    const double own_radius = std::max(grab.radius, 1.2 * geometry::mean_edge(model_.mesh));
    held_.push_back({grab.point, grab.radius, held_patch(model_, grab.point, own_radius)});
    return held_.back().patch;
}

void Grabs::add_to(Forces& forces, const ClothState& state) const {
    for (const Grab& grab : interaction_.grabs) {
        const HeldPatch& patch = patch_of(grab);
        if (patch.vertices.empty()) continue;
        const Vector3 pull = grab_pull(grab, patch.mass, patch.mean(state.positions), patch.mean(state.velocities));
        for (size_t i = 0; i < patch.vertices.size(); ++i)
            forces.row(patch.vertices[i]) += patch.weights(static_cast<long>(i)) * pull.transpose();
    }
}

}  // namespace tulle::physics
