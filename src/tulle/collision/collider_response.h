// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"

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

    // Distance to the nearest collider that keeps vertices outside, at the end of the step [m]; negative inside.
    double distance_at_end(const Vector3& point) const;

private:
    struct Moving {
        const Collider* collider;
        std::unique_ptr<const DeformingStep> deforming;  // null for a rigid one
        bool moves;                                      // rigidly
        Eigen::Isometry3d start_pose;
        Eigen::Isometry3d end_pose;
        Eigen::Isometry3d start_inverse;
        Eigen::Isometry3d end_inverse;

        const Shape& shape() const {  // at the end
            return deforming ? static_cast<const Shape&>(deforming->end()) : *collider->shape;
        }
        Vector3 start_seen(const Vector3& point) const;  // in the frame of the shape, as if it stood still
        Vector3 end_seen(const Vector3& point) const { return moves ? Vector3(end_inverse * point) : point; }
    };
    struct Touch {
        Vector3 point;   // where the vertex ends, in the frame of the shape
        Vector3 normal;  // in the frame of the shape
        bool touches = false;
    };

    bool slow_inside(const Moving& moving, const Vector3& start, Vector3& end, Vector3& velocity) const;
    bool resolve_all(const Vector3& start, Vector3& end, Vector3* velocity) const;
    Touch touch(const Moving& moving, const Vector3& start, const Vector3& end) const;
    static Touch first_contact(const Moving& moving, const Vector3& a, double distance_at_a, const Vector3& b,
                               double distance_at_b);
    void change_velocity(const Moving& moving, const Touch& touch, Vector3& velocity) const;
    Vector3 velocity_of(const Moving& moving, const Vector3& point) const;  // [m/s] `point` in the frame of the shape

    std::vector<Moving> moving_;
    double dt_;
};

}  // namespace tulle::collision
