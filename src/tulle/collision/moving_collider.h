// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/collision/collider.h"

#include <memory>
#include <vector>

namespace tulle::collision {

// The plane on which a point of a cloth rests.
struct Support {
    Vector3 normal = Vector3::UnitZ();  // unit, out of the collider
    double offset = 0;                  // [m] along the normal that the point has at least
    Vector3 carried = Vector3::Zero();  // [m] way of the collider's surface there in the step
};

// A collider during one step of the time. The collider must outlive it.
class MovingCollider {
public:
    MovingCollider(const Collider& collider, double time, double dt);

    const Collider& collider() const { return *collider_; }
    const Shape& shape() const {  // at the end
        return deforming_ ? static_cast<const Shape&>(deforming_->end()) : *collider_->shape;
    }
    const DeformingStep* deforming() const { return deforming_.get(); }  // null for a rigid one

    // Points of the world in the frame of the shape, seen from which the collider stands still.
    Vector3 start_seen(const Vector3& point) const;
    Vector3 end_seen(const Vector3& point) const { return moves_ ? Vector3(end_inverse_ * point) : point; }
    // Back to the world at the end of the step.
    Vector3 place(const Vector3& seen) const { return moves_ ? Vector3(end_pose_ * seen) : seen; }
    Vector3 direction(const Vector3& seen) const { return moves_ ? Vector3(end_pose_.linear() * seen) : seen; }
    Vector3 velocity_at(const Vector3& seen) const;  // [m/s] of the collider itself
    // Where a point that sees this surface is `distance` outside, at the end of the step.
    Support support(const Vector3& seen, const SurfacePoint& surface, double distance) const;

    // Holds all of the collider at the start, at the end and in between, and its thickness around it.
    bool is_bounded() const { return bounds_.min().allFinite() && bounds_.max().allFinite(); }
    const Eigen::AlignedBox3d& bounds() const { return bounds_; }

private:
    const Collider* collider_;
    std::unique_ptr<const DeformingStep> deforming_;
    double dt_;
    bool moves_;  // rigidly
    Eigen::Isometry3d start_pose_;
    Eigen::Isometry3d end_pose_;
    Eigen::Isometry3d start_inverse_;
    Eigen::Isometry3d end_inverse_;
    Eigen::AlignedBox3d bounds_;
};

// All colliders during one step, and which of them are near.
class MovingColliders {
public:
    MovingColliders(const Colliders& colliders, double time, double dt);

    const MovingCollider& operator[](size_t index) const { return colliders_[index]; }
    size_t size() const { return colliders_.size(); }
    // Indices, in ascending order, of all that something that stays in the box may meet.
    void find_near(const Eigen::AlignedBox3d& box, std::vector<int>& near) const;

private:
    std::vector<MovingCollider> colliders_;
    std::vector<int> unbounded_;
    std::vector<int> bounded_;
    BoxTree tree_;  // of the bounded ones
};

}  // namespace tulle::collision
