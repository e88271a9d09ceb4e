// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/moving_collider.h"

#include <vector>

namespace tulle::collision {

// What colliders do to a single vertex during one step of the time.
class ColliderResponse {
public:
    // Keeps a reference to the colliders.
    ColliderResponse(const Colliders& colliders, double time, double dt);

    // Moves `end` so that the way from `start`, seen from each collider, does not pass through it and ends at least its
    // thickness outside; friction holds back the sideways part. True if it touched.
    bool resolve(const Vector3& start, Vector3& end) const;
    // The same, and gives `velocity` what contact leaves of it: no approach, restitution, friction and drag.
    bool resolve(const Vector3& start, Vector3& end, Vector3& velocity) const;

    struct Depth {
        int collider = -1;
        double depth = 0;  // [m]; 0 outside all
    };
    // The collider that keeps vertices outside and in which a point is deepest at the end of the step.
    Depth deepest_at_end(const Vector3& point) const;

    const MovingColliders& colliders() const { return colliders_; }
    double dt() const { return dt_; }  // [s]

private:
    struct Touch {
        Vector3 point;   // where the vertex ends, in the frame of the shape
        Vector3 normal;  // in the frame of the shape
        bool touches = false;
    };

    bool slow_inside(const MovingCollider& moving, const Vector3& start, Vector3& end, Vector3& velocity) const;
    bool resolve_all(const Vector3& start, Vector3& end, Vector3* velocity) const;
    Touch touch(const MovingCollider& moving, const Vector3& start, const Vector3& end) const;
    static Touch first_contact(const MovingCollider& moving, const Vector3& a, double distance_at_a, const Vector3& b,
                               double distance_at_b);
    void change_velocity(const MovingCollider& moving, const Touch& touch, Vector3& velocity) const;

    MovingColliders colliders_;
    double dt_;
};

}  // namespace tulle::collision
