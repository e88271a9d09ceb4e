// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/separation.h"
#include "tulle/core/arrays.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tulle::collision {

// A vertex and a triangle, or two edges (the lower index first).
struct PartPair {
    PairKind kind = PairKind::VertexTriangle;
    int first = 0;
    int second = 0;

    // Pairs are always worked on in this order, wherever they were found.
    std::uint64_t key() const {
        return static_cast<std::uint64_t>(kind) << 62 | static_cast<std::uint64_t>(first) << 31 |
               static_cast<std::uint64_t>(second);
    }
};

// The vertices, edges and triangles of the cloth.
struct ClothParts {
    Triangles triangles;       // |T|×3
    Edges edges;               // |E|×2
    VectorX inverse_masses;    // |V| [1/kg]; 0 where pinned
    Positions rest_positions;  // |V|×3 [m]

    double mean_edge_length() const;  // [m] at rest
    bool movable(int vertex) const { return inverse_masses(vertex) > 0; }

    std::array<int, 4> vertices(const PartPair& pair) const {
        if (pair.kind == PairKind::VertexTriangle)
            return {pair.first, triangles(pair.second, 0), triangles(pair.second, 1), triangles(pair.second, 2)};
        return {edges(pair.first, 0), edges(pair.first, 1), edges(pair.second, 0), edges(pair.second, 1)};
    }
};

// The mean of all rows, with the same bits at any thread count.
Eigen::RowVector3d middle(const Positions& positions);

inline FourPoints gather(const std::array<int, 4>& vertices, const Positions& positions) {
    return {positions.row(vertices[0]), positions.row(vertices[1]), positions.row(vertices[2]),
            positions.row(vertices[3])};
}

}  // namespace tulle::collision
