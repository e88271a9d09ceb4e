// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/forces/wind.h"

#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tulle::physics {

Wind::Wind(const ClothModel& model, const WindSettings& settings, const Interaction* interaction)
    : triangles_(model.mesh.triangles),
      triangles_around_(model.mesh.triangles, model.vertex_count()),
      settings_(settings),
      interaction_(interaction) {
    Random random(settings.seed);
    for (double& phase : gust_phases_) phase = random.uniform(0, 2 * std::numbers::pi);
}

Vector3 Wind::velocity_at(double time) const {
    // Three octaves whose periods have no common multiple, so that the gusts do not repeat soon.
    const Eigen::Array3d octaves(1.0, 2.17, 4.61);
    const Eigen::Array3d shares(0.5, 0.3, 0.2);
    const double cycle = 2 * std::numbers::pi * time;
    const double gust = (shares * (cycle / settings_.gust_period * octaves + gust_phases_).sin()).sum();
    const double angle = settings_.turning_angle * std::sin(cycle / settings_.turning_period);
    const bool is_changed = interaction_ && interaction_->wind_velocity;
    const Vector3& velocity = is_changed ? *interaction_->wind_velocity : settings_.velocity;
    return (1 + settings_.gust_strength * gust) * (Eigen::AngleAxisd(angle, settings_.turning_axis) * velocity);
}

void Wind::add_to(Forces& forces, const ClothState& state) const {
    const Vector3 air = velocity_at(state.time);
    Forces thirds(triangles_.rows(), 3);
    const auto push = [&](long t) {
        const int i = triangles_(t, 0), j = triangles_(t, 1), k = triangles_(t, 2);
        const Vector3 origin = state.positions.row(i);
        const Vector3 side = state.positions.row(j).transpose() - origin;
        const Vector3 other_side = state.positions.row(k).transpose() - origin;
        const Vector3 area = 0.5 * side.cross(other_side);  // A n
        const Vector3 relative =
            air - (state.velocities.row(i) + state.velocities.row(j) + state.velocities.row(k)).transpose() / 3;
        const double size = area.norm();
        const double normal_part =
            (settings_.normal - settings_.tangential) * area.dot(relative) / std::max(size, 1e-30);
        thirds.row(t) = (normal_part * area + settings_.tangential * size * relative) / 3;
    };
    constexpr long worth_threads = 256;  // triangles; each takes longer than what most loops do
    parallel_ranges(
        triangles_.rows(),
        [&](long begin, long end) {
            for (long t = begin; t < end; ++t) push(t);
        },
        worth_threads);
    parallel_for(forces.rows(), [&](long v) {
        Vector3 sum = Vector3::Zero();
        for (const auto& [triangle, corner] : triangles_around_.around(v)) sum += thirds.row(triangle);
        forces.row(v) += sum;
    });
}

}  // namespace tulle::physics
