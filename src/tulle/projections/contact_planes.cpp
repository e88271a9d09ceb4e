// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/contact_planes.h"

namespace tulle::projections {

std::vector<ContactPlane> contact_planes(const collision::Colliders& colliders, double time, const Positions& positions,
                                         double reach) {
    std::vector<ContactPlane> planes;
    for (const collision::Collider& collider : colliders) {
        const collision::PlacedCollider placed(collider, time);
        const Eigen::Isometry3d to_collider = placed.to_world().inverse();
        for (int v = 0; v < positions.rows(); ++v) {
            const Vector3 point = to_collider * Vector3(positions.row(v));
            if (placed.shape().distance(point) >= collider.thickness + reach) continue;
            const collision::SurfacePoint surface = placed.shape().surface(point);
            const Vector3 normal = placed.to_world().linear() * surface.normal;
            planes.push_back({v, normal, normal.dot(positions.row(v)) - surface.distance + collider.thickness});
        }
    }
    return planes;
}

}  // namespace tulle::projections
