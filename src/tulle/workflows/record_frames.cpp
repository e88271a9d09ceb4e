// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/record_frames.h"

#include "tulle/core/version.h"

namespace tulle::workflows {

io::CacheHeader cache_header(const scene::Simulation& simulation, const std::string& method) {
    const scene::Scene& scene = simulation.scene();
    io::CacheHeader header{.mesh = simulation.model().mesh,
                           .colliders = {},
                           .scene = scene.text,
                           .scene_name = scene.name,
                           .method = method,
                           .program_version = version,
                           .seed = scene.seed,
                           .frame_rate = scene.time.frame_rate,
                           .up_axis = scene.up.y() > 0.5 ? 'y' : 'z'};
    header.has_bounds = simulation.tells_bounds();
    if (simulation.model().grid) header.grid = *simulation.model().grid;
    for (const collision::Collider& collider : *simulation.world().colliders) {
        const geometry::TriangleMesh mesh = collision::PlacedCollider(collider, /*time=*/0).shape().to_mesh();
        header.colliders.push_back({collider.name, mesh.positions, mesh.triangles, collider.deforming != nullptr});
    }
    return header;
}

io::CacheFrame cache_frame(const scene::Simulation& simulation, double milliseconds) {
    const physics::ClothState& state = simulation.state();
    io::CacheFrame frame{.positions = state.positions,
                         .velocities = state.velocities,
                         .time = state.time,
                         .milliseconds = milliseconds,
                         .collider_transforms = {},
                         .collider_positions = {},
                         .bounds = simulation.bounds()};
    for (const collision::Collider& collider : *simulation.world().colliders) {
        frame.collider_transforms.push_back(collider.motion.at(state.time));
        frame.collider_positions.push_back(collider.deforming ? collider.deforming->positions_at(state.time)
                                                              : Positions());
    }
    return frame;
}

}  // namespace tulle::workflows
