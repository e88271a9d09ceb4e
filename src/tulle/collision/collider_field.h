// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"

#include <vector>

namespace tulle::collision {

// All colliders as they stand at one time: for solvers that keep vertices outside during their iterations, in addition
// to the contact pass. No friction, no velocities.
class ColliderField {
public:
    // Keeps a reference to the colliders.
    ColliderField(const Colliders& colliders, double time);

    bool empty() const { return standing_.empty(); }
    // Moves the point to the nearest place that is outside by the collider's thickness; true if it was not there.
    bool push_out(Vector3& point) const;
    // The same for rows[stride·i], rows[stride·i + 1], rows[stride·i + 2], i < count. Returns how many were moved.
    long push_out(float* rows, long count, long stride) const;

private:
    struct Standing {
        const Collider* collider;
        Eigen::Isometry3d to_world;
        Eigen::Isometry3d to_shape;
        Eigen::Vector3f low;  // of the box outside of which nothing is to be done, in the world
        Eigen::Vector3f high;
    };

    std::vector<Standing> standing_;
};

}  // namespace tulle::collision
