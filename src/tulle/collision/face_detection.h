// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider_response.h"
#include "tulle/collision/deepest_point.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tulle::collision {

// A face that comes too near to a collider: Σ weights[i] normal·x_i must be at least the support's offset at the end of
// the step.
struct FaceTouch {
    int face = 0;
    int collider = 0;
    std::array<double, 3> weights{};
    Support support;
};

// How near a face may come, and how far it is to be pushed if it comes nearer, in thicknesses. A face may come nearer
// than a vertex, so that what lies flat is left to the vertices; pushing it a little farther ends the rounds sooner.
struct FaceDemand {
    double at_least = 0.5;
    double pushed_to = 0.6;
};

// Finds faces that come near colliders, or pass through them, on straight ways.
class FaceDetection {
public:
    FaceDetection(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses);

    // In the order of faces, and of colliders for each.
    std::vector<FaceTouch> find(const ColliderResponse& colliders, const Positions& start, const Positions& end,
                                const std::vector<int>& faces, const FaceDemand& demand) const;
    // Faces with a corner from which a collider can be reached.
    std::vector<int> near_faces(const ColliderResponse& colliders, const Positions& start, const Positions& end) const;
    std::vector<int> faces_of(std::span<const int> vertices) const;
    int count() const { return static_cast<int>(triangles_.rows()); }
    std::array<int, 3> vertices(int face) const {
        return {triangles_(face, 0), triangles_(face, 1), triangles_(face, 2)};
    }

private:
    std::optional<FaceTouch> examine(const MovingCollider& moving, const Corners& start, const Corners& end,
                                     const FaceDemand& demand) const;

    Triangles triangles_;
    double longest_edge_ = 0;  // [m] at rest
    std::vector<int> all_;     // faces that can move
    std::vector<int> first_face_, faces_of_vertex_;
};

}  // namespace tulle::collision
