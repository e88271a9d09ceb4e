// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/collider_response.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tulle::collision {

namespace {

constexpr double slack = 1e-9;    // [m] nearer than this to the thickness is as good as there
constexpr double gravity = 9.81;  // [m/s²] tells resting from bouncing
constexpr int rounds = 8;         // a vertex in the wedge of two colliders goes back and forth
constexpr int most_trace_steps = 1000;
constexpr double thinnest_skin = 1e-4;  // [m] for tracing where the thickness is zero

// Moves the point along the gradient until it is `thickness` outside.
SurfacePoint push_out(const Shape& shape, double thickness, Vector3& point) {
    SurfacePoint first = shape.surface(point);
    SurfacePoint now = first;
    for (int i = 0; i < 4 && now.distance < thickness - slack; ++i) {
        point += (thickness - now.distance) * now.normal;
        now = shape.surface(point);
    }
    return first;
}

// Where the straight way from `a` first comes near the surface: sphere tracing against half the distance it starts at,
// or half the thickness, so that it always has room to begin.
std::optional<Vector3> trace(const Shape& shape, double thickness, const Vector3& a, double distance_at_a,
                             const Vector3& b) {
    const double length = (b - a).norm();
    const double level = 0.5 * std::min(std::max(thickness, thinnest_skin), distance_at_a);
    double distance = distance_at_a;
    double t = 0;
    for (int i = 0; i < most_trace_steps; ++i) {
        t += (distance - 0.5 * level) / length;
        if (!(t < 1)) return std::nullopt;
        const Vector3 point = a + t * (b - a);
        distance = shape.distance(point);
        if (distance <= level) return point;
    }
    return Vector3(a + t * (b - a));
}

// The part of `sideways` that friction leaves when the normal part changed by `normal_change`.
Vector3 after_friction(const Vector3& sideways, double friction, double normal_change) {
    const double length = sideways.norm();
    const double held = friction * normal_change;
    return held >= length ? Vector3(Vector3::Zero()) : Vector3(sideways * (1 - held / length));
}

}  // namespace

ColliderResponse::ColliderResponse(const Colliders& colliders, double time, double dt)
    : colliders_(colliders, time, dt), dt_(dt) {}

bool ColliderResponse::resolve(const Vector3& start, Vector3& end) const { return resolve_all(start, end, nullptr); }

bool ColliderResponse::resolve(const Vector3& start, Vector3& end, Vector3& velocity) const {
    return resolve_all(start, end, &velocity);
}

bool ColliderResponse::resolve_all(const Vector3& start, Vector3& end, Vector3* velocity) const {
    thread_local std::vector<int> near;
    bool touched = false;
    for (int round = 0; round < rounds; ++round) {
        bool moved = false;
        colliders_.find_near(Eigen::AlignedBox3d(start).extend(end), near);
        for (const int index : near) {
            const MovingCollider& moving = colliders_[static_cast<size_t>(index)];
            if (moving.collider().law == ContactLaw::Velocity) {
                if (velocity) touched |= slow_inside(moving, start, end, *velocity);
                continue;
            }
            const Touch found = touch(moving, start, end);
            if (!found.touches) continue;
            moved = true;
            end = moving.place(found.point);
            if (velocity) change_velocity(moving, found, *velocity);
        }
        touched |= moved;
        if (!moved || colliders_.size() == 1) break;
    }
    return touched;
}

// ContactLaw::Velocity. What it did not let go deeper approaches no more, so it acts once in a step.
bool ColliderResponse::slow_inside(const MovingCollider& moving, const Vector3& start, Vector3& end,
                                   Vector3& velocity) const {
    const Vector3 seen = moving.start_seen(start);
    const SurfacePoint surface = moving.shape().surface(seen);
    if (surface.distance >= 0) return false;
    const Vector3 normal = moving.direction(surface.normal);
    const Vector3 collider_velocity = moving.velocity_at(seen);
    const Vector3 relative = velocity - collider_velocity;
    const double approach = normal.dot(relative);
    if (approach >= 0) return false;
    velocity = collider_velocity + std::exp(-moving.collider().contact_drag * dt_) * (relative - approach * normal);
    end = start + dt_ * velocity;
    return true;
}

ColliderResponse::Touch ColliderResponse::touch(const MovingCollider& moving, const Vector3& start,
                                                const Vector3& end) const {
    const Shape& shape = moving.shape();
    const double thickness = moving.collider().thickness;
    const double reach = moving.deforming() ? std::max(thickness, moving.deforming()->reach(start, end)) : 0;
    if (moving.deforming() && shape.bounds().exteriorDistance(end) >= reach) return {};
    const Vector3 b = moving.end_seen(end);
    const double end_distance = shape.distance(b);
    if (moving.deforming() && end_distance >= reach) return {};
    const Vector3 a = moving.start_seen(start);
    const double travel = (b - a).norm();
    if (end_distance >= std::max(thickness - slack, travel)) return {};
    const double start_distance = shape.distance(a);
    Touch result = first_contact(moving, a, start_distance, b, end_distance);
    if (!result.touches && end_distance >= thickness - slack) return {};
    const SurfacePoint nearest = push_out(shape, thickness, result.point);
    if (!result.touches) result.normal = nearest.normal;
    result.touches = true;
    if (moving.collider().friction == 0) return result;
    // Friction counts what this step pressed in, not how deep the vertex already was.
    const double pressed = result.normal.dot(result.point - b) - std::max(0.0, thickness - start_distance);
    const Vector3 way = result.point - a;
    const Vector3 outward = result.normal.dot(way) * result.normal;
    if (pressed > 0) result.point = a + outward + after_friction(way - outward, moving.collider().friction, pressed);
    return result;
}

// If the way from a to b passes through the solid and comes out on another side than it went in, or would be pushed out
// there, the vertex slides along the plane of its first contact instead.
ColliderResponse::Touch ColliderResponse::first_contact(const MovingCollider& moving, const Vector3& a,
                                                        double distance_at_a, const Vector3& b, double distance_at_b) {
    Touch result{.point = b, .normal = Vector3::Zero()};
    const Shape& shape = moving.shape();
    if (distance_at_a <= 0 || distance_at_a + distance_at_b > (b - a).norm()) return result;
    const std::optional<Vector3> hit = trace(shape, moving.collider().thickness, a, distance_at_a, b);
    if (!hit) return result;
    result.normal = shape.surface(*hit).normal;
    if (result.normal.dot(shape.surface(b).normal) > 0.5) return result;
    result.point += std::max(0.0, result.normal.dot(*hit - b)) * result.normal;
    const SurfacePoint reached = shape.surface(result.point);
    if (reached.distance < 0 || result.normal.dot(reached.normal) < 0) result.point = *hit;
    result.touches = true;
    return result;
}

void ColliderResponse::change_velocity(const MovingCollider& moving, const Touch& touch, Vector3& velocity) const {
    const Collider& collider = moving.collider();
    const Vector3 collider_velocity = moving.velocity_at(touch.point);
    const Vector3 normal = moving.direction(touch.normal);
    const Vector3 relative = velocity - collider_velocity;
    const double before = normal.dot(relative);
    double after = std::max(before, 0.0);
    if (before < -2 * gravity * dt_) after = -collider.restitution * before;
    const Vector3 sideways = after_friction(relative - before * normal, collider.friction, after - before);
    velocity = collider_velocity + std::exp(-collider.contact_drag * dt_) * (after * normal + sideways);
}

ColliderResponse::Depth ColliderResponse::deepest_at_end(const Vector3& point) const {
    thread_local std::vector<int> near;
    colliders_.find_near(Eigen::AlignedBox3d(point), near);
    Depth deepest;
    for (const int index : near) {
        const MovingCollider& moving = colliders_[static_cast<size_t>(index)];
        if (moving.collider().law == ContactLaw::Velocity) continue;
        const double depth = -moving.shape().distance(moving.end_seen(point));
        if (depth > deepest.depth) deepest = {index, depth};
    }
    return deepest;
}

}  // namespace tulle::collision
