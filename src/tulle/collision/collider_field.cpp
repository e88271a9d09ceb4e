// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/collider_field.h"

#include <algorithm>
#include <limits>

namespace tulle::collision {

namespace {

Eigen::AlignedBox3d world_bounds(const Shape& shape, const Eigen::Isometry3d& to_world) {
    const Eigen::AlignedBox3d bounds = shape.bounds();
    if (to_world.isApprox(Eigen::Isometry3d::Identity(), 0)) return bounds;
    if (!bounds.min().allFinite() || !bounds.max().allFinite()) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return {Vector3::Constant(-infinity), Vector3::Constant(infinity)};
    }
    return bounds.transformed(to_world);
}

bool push_out_of(const Collider& collider, Vector3& point) {
    const double thickness = collider.thickness;
    if (collider.shape->distance(point) >= thickness) return false;
    SurfacePoint now = collider.shape->surface(point);
    for (int i = 0; i < 3 && now.distance < thickness; ++i) {
        point += (thickness - now.distance) * now.normal;
        now = collider.shape->surface(point);
    }
    return true;
}

}  // namespace

ColliderField::ColliderField(const Colliders& colliders, double time) {
    for (const Collider& collider : colliders) {
        const Eigen::Isometry3d to_world = collider.motion.at(time);
        const Eigen::AlignedBox3d bounds = world_bounds(*collider.shape, to_world);
        const double reach = 1.001 * collider.thickness + 1e-5;
        standing_.push_back({.collider = &collider,
                             .to_world = to_world,
                             .to_shape = to_world.inverse(),
                             .low = (bounds.min().array() - reach).matrix().cast<float>(),
                             .high = (bounds.max().array() + reach).matrix().cast<float>()});
    }
}

bool ColliderField::push_out(Vector3& point) const {
    bool moved = false;
    for (const Standing& standing : standing_) {
        Vector3 local = standing.to_shape * point;
        if (!push_out_of(*standing.collider, local)) continue;
        point = standing.to_world * local;
        moved = true;
    }
    return moved;
}

long ColliderField::push_out(float* rows, long count, long stride) const {
    long moved = 0;
    for (const Standing& standing : standing_) {
        const Eigen::Vector3f low = standing.low;
        const Eigen::Vector3f high = standing.high;
        for (long i = 0; i < count; ++i) {
            float* row = rows + i * stride;
            const bool near = (row[0] >= low(0)) & (row[0] <= high(0)) & (row[1] >= low(1)) & (row[1] <= high(1)) &
                              (row[2] >= low(2)) & (row[2] <= high(2));
            if (!near) continue;
            Vector3 local = standing.to_shape * Vector3(row[0], row[1], row[2]);
            if (!push_out_of(*standing.collider, local)) continue;
            const Vector3 place = standing.to_world * local;
            for (int k = 0; k < 3; ++k) row[k] = static_cast<float>(place(k));
            ++moved;
        }
    }
    return moved;
}

}  // namespace tulle::collision
