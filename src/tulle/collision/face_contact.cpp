// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/face_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

constexpr int rounds = 24;  // of detection and pushing out

}  // namespace

FaceContact::FaceContact(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses)
    : detection_(rest_positions, triangles, inverse_masses), inverse_masses_(inverse_masses) {}

FaceContact::Outcome FaceContact::resolve(const ColliderResponse& colliders, const Motion& motion) const {
    return resolve_faces(colliders, motion, detection_.near_faces(colliders, motion.start, motion.end));
}

FaceContact::Outcome FaceContact::resolve(const ColliderResponse& colliders, const Motion& motion,
                                          std::span<const int> around) const {
    return resolve_faces(colliders, motion, detection_.faces_of(around));
}

FaceContact::Outcome FaceContact::resolve_faces(const ColliderResponse& colliders, const Motion& motion,
                                                std::vector<int> faces) const {
    Outcome outcome;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<FaceTouch> touches = detection_.find(colliders, motion.start, motion.end, faces, {});
        if (touches.empty()) return outcome;
        if (round == 0) outcome.contacts = static_cast<int>(touches.size());
        std::vector<int> moved;
        for (const FaceTouch& touch : touches) {
            const Collider& collider = colliders.colliders()[static_cast<size_t>(touch.collider)].collider();
            if (!push(touch, collider, colliders.dt(), motion)) continue;
            for (const int v : vertices(touch.face)) moved.push_back(v);
        }
        std::sort(moved.begin(), moved.end());
        moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
        faces = detection_.faces_of(moved);
        for (const int v : moved) {  // out of one collider and into another
            Vector3 place = motion.end.row(v);
            if (inverse_masses_(v) > 0 && colliders.resolve(motion.start.row(v), place)) motion.end.row(v) = place;
        }
    }
    outcome.unresolved = static_cast<int>(
        detection_.find(colliders, motion.start, motion.end, faces, {.at_least = 0, .pushed_to = 0}).size());
    return outcome;
}

std::vector<FaceContact::Cut> FaceContact::cutting(const ColliderResponse& colliders, const Positions& start,
                                                   const Positions& end, const std::vector<char>& marked) const {
    std::vector<int> around;
    for (size_t v = 0; v < marked.size(); ++v)
        if (marked[v]) around.push_back(static_cast<int>(v));
    std::vector<Cut> cuts;
    for (const FaceTouch& touch :
         detection_.find(colliders, start, end, detection_.faces_of(around), {.at_least = 0.1, .pushed_to = 0.1}))
        cuts.push_back({touch.face, touch.collider});
    return cuts;
}

// Moves the face out, with friction, and takes the approach from its velocities. Neither changes the momentum of any
// but the collider.
bool FaceContact::push(const FaceTouch& touch, const Collider& collider, double dt, const Motion& motion) const {
    const std::array<int, 3> corners = vertices(touch.face);
    Vector3 place = Vector3::Zero(), way = -touch.support.carried, velocity = -touch.support.carried / dt;
    double give = 0, least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < 3; ++i) {
        const int v = corners[i];
        const double w = touch.weights[i];
        place += w * motion.end.row(v).transpose();
        way += w * (motion.end.row(v) - motion.start.row(v)).transpose();
        if (motion.velocities) velocity += w * motion.velocities->row(v).transpose();
        give += w * w * inverse_masses_(v);
        if (inverse_masses_(v) > 0) least = std::min(least, inverse_masses_(v));
    }
    const double missing = touch.support.offset - touch.support.normal.dot(place);
    if (missing <= 0 || give == 0) return false;
    give = std::max(give, 0.1 * least);  // a vertex of little weight is not flung away to make up for pinned ones
    const auto rubbed = [&](const Vector3& motion_along, double pressed) {
        const Vector3 sideways = motion_along - touch.support.normal.dot(motion_along) * touch.support.normal;
        const double length = sideways.norm();
        return length > 0 ? Vector3(-std::min(1.0, collider.friction * pressed / length) * sideways)
                          : Vector3(Vector3::Zero());
    };
    // Friction counts what this step pressed in.
    const double pressed = std::clamp(-touch.support.normal.dot(way), 0.0, missing);
    const Vector3 change = missing * touch.support.normal + rubbed(way, pressed);
    const double approach = std::max(0.0, -touch.support.normal.dot(velocity));
    const Vector3 impulse = approach * touch.support.normal + rubbed(velocity, approach);
    for (size_t i = 0; i < 3; ++i) {
        const int v = corners[i];
        const double share = touch.weights[i] * inverse_masses_(v) / give;
        motion.end.row(v) += share * change;
        if (motion.velocities) motion.velocities->row(v) += share * impulse;
    }
    return true;
}

}  // namespace tulle::collision
