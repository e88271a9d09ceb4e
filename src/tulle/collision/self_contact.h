// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/contact_pass.h"
#include "tulle/collision/face_contact.h"
#include "tulle/collision/self_detection.h"

#include <vector>

namespace tulle::collision {

struct SelfContactOutcome {
    bool slowed = false;
    int contacts = 0;
    int truncated_vertices = 0;
    int unresolved = 0;
};

// Keeps a cloth out of itself: pairs that come closer than the thickness are pushed apart with friction; whatever still
// would pass through moves together, so that the end of a step is as free of intersections as its start.
class SelfContact {
public:
    SelfContact(ClothParts parts, const SelfContactSettings& settings);
    SelfContact(const SelfContact&) = delete;  // the detection looks at parts_
    SelfContact& operator=(const SelfContact&) = delete;

    // Corrects `end`. `colliders` may be null.
    SelfContactOutcome resolve(const Positions& start, Positions& end, double dt, const ColliderContact* colliders);

private:
    bool slow_down(const Positions& start, Positions& end) const;
    std::vector<SelfContactPoint> detect_again(std::vector<SelfContactPoint> contacts, const Positions& start,
                                               const Positions& before, const Positions& end, double recovery);
    void push_apart(const std::vector<SelfContactPoint>& contacts, const Positions& start, Positions& end) const;
    double push_apart(const SelfContactPoint& contact, const Positions& start, Positions& end) const;
    void keep_outside(const std::vector<SelfContactPoint>& contacts, const ColliderContact& colliders,
                      const Positions& start, Positions& end) const;
    // Vertices that a collider takes with it.
    struct ColliderHit {
        std::vector<int> vertices;
        Vector3 way;  // [m]
    };
    // Lets everything that would pass through something move with it, from `start` on.
    void move_together(std::vector<SelfContactPoint> contacts, const ColliderContact* colliders, const Positions& start,
                       Positions& end, SelfContactOutcome& outcome);
    std::vector<ColliderHit> find_collider_hits(const ColliderContact& colliders, const Positions& start,
                                                const Positions& end, const std::vector<char>& moved) const;

    ClothParts parts_;
    SelfContactSettings settings_;
    SelfDetection detection_;
};

}  // namespace tulle::collision
