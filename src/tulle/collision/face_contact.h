// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/face_detection.h"

#include <span>
#include <vector>

namespace tulle::collision {

// Keeps faces and edges of a cloth out of colliders, as ColliderResponse keeps its vertices out. A face may come nearer
// than the thickness, so that what lies flat is left to the vertices; half of it is always kept.
class FaceContact {
public:
    FaceContact(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses);

    // One step of the time for all vertices, |V|×3.
    struct Motion {
        const Positions& start;
        Positions& end;
        Velocities* velocities;  // at the end; null: only positions are of interest
    };
    struct Outcome {
        int contacts = 0;
        int unresolved = 0;  // faces that still cut a collider
    };
    // Moves the ends of faces that come too near, or pass through a collider on their straight ways. With `around`,
    // only those of its vertices are looked at first.
    Outcome resolve(const ColliderResponse& colliders, const Motion& motion) const;
    Outcome resolve(const ColliderResponse& colliders, const Motion& motion, std::span<const int> around) const;

    // Faces with a vertex that is marked and that end in a collider, or have passed through one.
    struct Cut {
        int face = 0;
        int collider = 0;
    };
    std::vector<Cut> cutting(const ColliderResponse& colliders, const Positions& start, const Positions& end,
                             const std::vector<char>& marked) const;
    std::array<int, 3> vertices(int face) const { return detection_.vertices(face); }

private:
    Outcome resolve_faces(const ColliderResponse& colliders, const Motion& motion, std::vector<int> faces) const;
    bool push(const FaceTouch& touch, const Collider& collider, double dt, const Motion& motion) const;

    FaceDetection detection_;
    VectorX inverse_masses_;  // |V| [1/kg]
};

// Both for one step, for whoever moves vertices afterwards.
struct ColliderContact {
    const ColliderResponse& vertices;
    const FaceContact& faces;
};

}  // namespace tulle::collision
