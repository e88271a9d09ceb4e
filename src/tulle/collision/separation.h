// SPDX-License-Identifier: Apache-2.0
// The shortest way between a vertex and a triangle, or between two edges.
#pragma once

#include "tulle/core/arrays.h"

#include <array>
#include <cstdint>

namespace tulle::collision {

//   VertexTriangle: x0 is the vertex, x1 x2 x3 the triangle.
//   EdgeEdge:       x0 x1 is the first edge, x2 x3 the second.
enum class PairKind : std::uint8_t { VertexTriangle, EdgeEdge };

using FourPoints = std::array<Vector3, 4>;

// vector = Σ weights[i] x_i is the shortest vector from the second part to the first. The weights of the first part add
// up to 1 and are not negative, those of the second part add up to -1 and are not positive.
struct Separation {
    Vector3 vector = Vector3::Zero();  // [m]
    std::array<double, 4> weights{};

    double distance() const { return vector.norm(); }
};

Separation vertex_triangle_separation(const FourPoints& x);
Separation edge_edge_separation(const FourPoints& x);

inline Separation separation(PairKind kind, const FourPoints& x) {
    return kind == PairKind::VertexTriangle ? vertex_triangle_separation(x) : edge_edge_separation(x);
}

}  // namespace tulle::collision
