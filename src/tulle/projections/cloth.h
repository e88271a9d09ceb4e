// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::projections {

// What the projections need to know of a cloth. Any triangles will do: vertices without any, several cloths, edges of
// no length, edges with three triangles.
struct Cloth {
    Positions rest_positions;  // |V|×3 [m]
    Triangles triangles;       // |T|×3
    VectorX masses;            // |V| in any unit; 0 where no triangle is: such vertices stay where they are
    std::vector<int> fixed;    // vertices that stay where they are
};

// A cloth whose masses are the areas around its vertices.
Cloth cloth_of_areas(const Positions& rest_positions, const Triangles& triangles, std::vector<int> fixed = {});

// Throws an Error unless numbers are finite, masses not negative and indices in range.
void check(const Cloth& cloth);
// Throws an Error unless there is a finite position for every vertex.
void check_positions(const Cloth& cloth, const Positions& positions);

Edges edges_of(const Triangles& triangles);  // |E|×2, each once, the smaller index first, ascending
// Pairs of triangles that share an edge: that edge, then the two vertices opposite it. Three triangles at an edge are
// two pairs.
Quadruples hinges_of(const Triangles& triangles);  // |H|×4

// Masses relative to their mean, one where a vertex has none. |V|
VectorX relative_masses(const Cloth& cloth);
std::vector<bool> fixed_flags(const Cloth& cloth);  // |V|

}  // namespace tulle::projections
