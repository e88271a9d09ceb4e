// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/core/arrays.h"

#include <span>
#include <vector>

namespace tulle::workflows {

// What went through what, over all frames.
struct ContactCounts {
    long intersections = 0;        // edges of the cloth through triangles of it
    long intersecting_frames = 0;  // with any
    long penetrations = 0;         // vertices inside a collider
    long penetrating_faces = 0;    // triangles that cut the surface of a collider
    long penetrating_frames = 0;   // with any of both
};

// A vertex less deep below the surface of a collider is not counted: nobody sees it.
inline constexpr double seen_depth = 1e-4;  // [m]

// Counts in frames that are shown.
class ContactCounter {
public:
    // `colliders` must outlive it.
    ContactCounter(Triangles triangles, const collision::Colliders& colliders);

    // The frames follow each other; the first is at `time` [s].
    void add(std::span<const Positions> frames, double time, double frame_time);
    const ContactCounts& counts() const { return counts_; }

private:
    ContactCounts count(const Positions& positions, double time) const;

    Triangles triangles_;
    const collision::Colliders& colliders_;
    std::vector<geometry::TriangleMesh> surfaces_;  // of the colliders, where they rest; of deforming ones empty
    ContactCounts counts_;
};

}  // namespace tulle::workflows
