// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/subdivision.h"

#include <vector>

namespace tulle::geometry {

// A coarse mesh and its repeated subdivisions: level 0 is the coarsest, level N the finest.
struct Hierarchy {
    std::vector<Subdivision> subdivisions;        // N, from each level to the next
    std::vector<std::vector<int>> fine_vertices;  // N+1, where the vertices of each level are in the finest
    int level_count() const { return static_cast<int>(subdivisions.size()); }  // N
};

// Throws an Error that names the nearest sizes that do unless the grid can be halved N times.
Hierarchy grid_hierarchy(const GridSize& finest, int levels);
Hierarchy mesh_hierarchy(const TriangleMesh& coarsest, int levels);

}  // namespace tulle::geometry
