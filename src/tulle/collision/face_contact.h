// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/cloth_parts.h"
#include "tulle/collision/collider_response.h"
#include "tulle/collision/deepest_point.h"

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
    std::array<int, 3> vertices(int face) const {
        return {triangles_(face, 0), triangles_(face, 1), triangles_(face, 2)};
    }

private:
    // Σ weights[i] normal·x_i must be at least `offset` at the end of the step.
    struct Touch {
        int face = 0;
        int collider = 0;
        std::array<double, 3> weights{};
        Vector3 normal = Vector3::UnitZ();
        double offset = 0;                  // [m]
        Vector3 carried = Vector3::Zero();  // [m] way of the collider's surface there
    };
    struct Demand;

    Outcome resolve_faces(const ColliderResponse& colliders, const Motion& motion, std::vector<int> faces) const;
    std::vector<int> near_faces(const ColliderResponse& colliders, const Positions& start, const Positions& end) const;
    std::vector<Touch> find(const ColliderResponse& colliders, const Positions& start, const Positions& end,
                            const std::vector<int>& faces, const Demand& demand) const;
    std::optional<Touch> examine(const MovingCollider& moving, double dt, const Corners& start, const Corners& end,
                                 const Demand& demand) const;
    bool push(const Touch& touch, const Collider& collider, double dt, const Motion& motion) const;
    std::vector<int> faces_of(std::span<const int> vertices) const;

    Triangles triangles_;
    VectorX inverse_masses_;   // |V| [1/kg]
    double longest_edge_ = 0;  // [m] at rest
    std::vector<int> all_;     // faces that can move
    std::vector<int> first_face_, faces_of_vertex_;
};

// Both for one step, for whoever moves vertices afterwards.
struct ColliderContact {
    const ColliderResponse& vertices;
    const FaceContact& faces;
};

}  // namespace tulle::collision
