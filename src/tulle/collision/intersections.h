// SPDX-License-Identifier: Apache-2.0
// Checks that a cloth is where it may be. Shares no code with the contact pass, so that it can judge it.
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/core/arrays.h"

#include <array>
#include <vector>

namespace tulle::collision {

// An edge of the cloth passes through a triangle with which it shares no vertex.
struct Crossing {
    std::array<int, 2> edge{};  // vertices, the lower index first
    int triangle = 0;

    auto operator<=>(const Crossing&) const = default;
};

// All of them, in ascending order. The reference looks at every pair; the other sorts boxes first.
std::vector<Crossing> find_crossings_reference(const Positions& positions, const Triangles& triangles);
std::vector<Crossing> find_crossings(const Positions& positions, const Triangles& triangles);

// Triangles of a cloth that cut the surface of a mesh, in ascending order: an edge of one passes through the other.
std::vector<int> find_cuts(const Positions& positions, const Triangles& triangles, const geometry::TriangleMesh& mesh);

struct DeepVertex {
    int vertex = 0;
    int collider = 0;
    double depth = 0;  // [m] below the surface itself, whatever the thickness
};

// Vertices more than `tolerance` [m] below the surface of a collider at `time`.
std::vector<DeepVertex> find_deep_vertices(const Positions& positions, const Colliders& colliders, double time,
                                           double tolerance);

}  // namespace tulle::collision
