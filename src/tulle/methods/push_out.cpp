// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/push_out.h"

#include "tulle/core/parallel.h"

#include <atomic>

namespace tulle::methods {

long push_out(const collision::Colliders& colliders, double time, Positions& positions) {
    std::atomic<long> moved = 0;
    for (const collision::Collider& collider : colliders) {
        if (collider.law == collision::ContactLaw::Velocity) continue;  // it lets vertices in
        const collision::PlacedCollider placed(collider, time);
        const Eigen::Isometry3d to_collider = placed.to_world().inverse();
        parallel_for(positions.rows(), [&](long v) {
            Vector3 point = to_collider * Vector3(positions.row(v));
            if (placed.shape().distance(point) >= collider.thickness) return;
            const collision::SurfacePoint surface = placed.shape().surface(point);
            point += (collider.thickness - surface.distance) * surface.normal;
            positions.row(v) = placed.to_world() * point;
            ++moved;
        });
    }
    return moved;
}

}  // namespace tulle::methods
