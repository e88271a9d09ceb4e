// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/contact_counts.h"

#include "tulle/collision/intersections.h"
#include "tulle/core/parallel.h"

#include <set>

namespace tulle::workflows {

ContactCounter::ContactCounter(Triangles triangles, const collision::Colliders& colliders)
    : triangles_(std::move(triangles)), colliders_(colliders) {
    for (const collision::Collider& collider : colliders)
        surfaces_.push_back(collider.deforming ? geometry::TriangleMesh{} : collider.shape->to_mesh());
}

void ContactCounter::add(std::span<const Positions> frames, double time, double frame_time) {
    std::vector<ContactCounts> found(frames.size());
    parallel_tasks(static_cast<long>(frames.size()), [&](long i) {
        found[static_cast<size_t>(i)] =
            count(frames[static_cast<size_t>(i)], time + static_cast<double>(i) * frame_time);
    });
    for (const ContactCounts& frame : found) {
        counts_.intersections += frame.intersections;
        counts_.penetrations += frame.penetrations;
        counts_.penetrating_faces += frame.penetrating_faces;
        if (frame.intersections > 0) ++counts_.intersecting_frames;
        if (frame.penetrations + frame.penetrating_faces > 0) ++counts_.penetrating_frames;
    }
}

// A vertex or a triangle that is in two colliders counts once.
ContactCounts ContactCounter::count(const Positions& positions, double time) const {
    std::set<long> deep;
    std::set<int> cut;
    for (size_t c = 0; c < colliders_.size(); ++c) {
        const collision::Collider& collider = colliders_[c];
        const collision::PlacedCollider placed(collider, time);
        const Eigen::Isometry3d to_shape = placed.to_world().inverse();
        Positions seen(positions.rows(), 3);  // from the frame of the shape
        for (long v = 0; v < positions.rows(); ++v) {
            seen.row(v) = to_shape * Vector3(positions.row(v));
            if (placed.shape().distance(seen.row(v)) < -seen_depth) deep.insert(v);
        }
        const geometry::TriangleMesh surface = collider.deforming ? placed.shape().to_mesh() : surfaces_[c];
        for (const int triangle : collision::find_cuts(seen, triangles_, surface)) cut.insert(triangle);
    }
    return {.intersections = static_cast<long>(collision::find_crossings(positions, triangles_).size()),
            .penetrations = static_cast<long>(deep.size()),
            .penetrating_faces = static_cast<long>(cut.size())};
}

}  // namespace tulle::workflows
