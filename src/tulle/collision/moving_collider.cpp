// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/moving_collider.h"

#include <algorithm>
#include <cmath>

namespace tulle::collision {

namespace {

using Bounds = Eigen::AlignedBox3d;

Bounds grown(const Bounds& bounds, double by) {
    return {Vector3(bounds.min().array() - by), Vector3(bounds.max().array() + by)};
}

// Around a solid that turns from one pose to another: no point of it is farther from both than the longest way.
Bounds swept(const Bounds& solid, const Eigen::Isometry3d& start, const Eigen::Isometry3d& end) {
    Bounds around;
    double longest_way = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3 place = solid.corner(static_cast<Bounds::CornerType>(corner));
        around.extend(Vector3(start * place));
        around.extend(Vector3(end * place));
        longest_way = std::max(longest_way, (start * place - end * place).norm());
    }
    return grown(around, longest_way);
}

Box to_box(const Bounds& bounds) {
    Box box;
    for (size_t k = 0; k < 3; ++k) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        box.low[k] = std::nextafter(static_cast<float>(bounds.min()(static_cast<long>(k))), -infinity);
        box.high[k] = std::nextafter(static_cast<float>(bounds.max()(static_cast<long>(k))), infinity);
    }
    return box;
}

}  // namespace

MovingCollider::MovingCollider(const Collider& collider, double time, double dt)
    : collider_(&collider),
      dt_(dt),
      moves_(!collider.motion.keyframes.empty()),
      start_pose_(collider.motion.at(time)),
      end_pose_(collider.motion.at(time + dt)),
      start_inverse_(start_pose_.inverse()),
      end_inverse_(end_pose_.inverse()) {
    if (collider.deforming) deforming_ = std::make_unique<DeformingStep>(*collider.deforming, time, dt);
    bounds_ = shape().bounds();
    if (deforming_)
        bounds_ = grown(bounds_, deforming_->longest_way());
    else if (moves_ && is_bounded())
        bounds_ = swept(bounds_, start_pose_, end_pose_);
    else if (moves_)
        bounds_ = Bounds(Vector3::Constant(-std::numeric_limits<double>::infinity()),
                         Vector3::Constant(std::numeric_limits<double>::infinity()));
    bounds_ = grown(bounds_, collider.thickness);
}

Vector3 MovingCollider::start_seen(const Vector3& point) const {
    if (deforming_) return deforming_->carried(point);
    return moves_ ? Vector3(start_inverse_ * point) : point;
}

Vector3 MovingCollider::velocity_at(const Vector3& seen) const {
    if (dt_ == 0) return Vector3::Zero();  // a moment, nothing moves
    if (deforming_) return deforming_->velocity_at(seen);
    if (moves_) return (end_pose_ * seen - start_pose_ * seen) / dt_;
    return Vector3::Zero();
}

Support MovingCollider::support(const Vector3& seen, const SurfacePoint& surface, double distance) const {
    const Vector3 foot = seen - surface.distance * surface.normal;
    Support support{.normal = direction(surface.normal), .carried = dt_ * velocity_at(foot)};
    support.offset = support.normal.dot(place(foot)) + distance;
    return support;
}

MovingColliders::MovingColliders(const Colliders& colliders, double time, double dt) {
    for (const Collider& collider : colliders) {
        const int index = static_cast<int>(colliders_.size());
        colliders_.emplace_back(collider, time, dt);
        (colliders_.back().is_bounded() ? bounded_ : unbounded_).push_back(index);
    }
    Positions centers(static_cast<long>(bounded_.size()), 3);
    for (size_t i = 0; i < bounded_.size(); ++i)
        centers.row(static_cast<long>(i)) = colliders_[static_cast<size_t>(bounded_[i])].bounds().center();
    tree_ = BoxTree(centers);
    tree_.refit(
        [&](int i) { return to_box(colliders_[static_cast<size_t>(bounded_[static_cast<size_t>(i)])].bounds()); });
}

void MovingColliders::find_near(const Eigen::AlignedBox3d& box, std::vector<int>& near) const {
    near.clear();
    const auto add_if_near = [&](int index) {
        if (colliders_[static_cast<size_t>(index)].bounds().intersects(box)) near.push_back(index);
    };
    if (static_cast<long>(colliders_.size()) <= BoxTree::leaf_size) {
        for (int index = 0; index < static_cast<int>(colliders_.size()); ++index) add_if_near(index);
        return;
    }
    for (const int index : unbounded_) add_if_near(index);
    tree_.visit_overlaps(to_box(box),
                         [&](long slot) { near.push_back(bounded_[static_cast<size_t>(tree_.part(slot))]); });
    std::sort(near.begin(), near.end());
}

}  // namespace tulle::collision
