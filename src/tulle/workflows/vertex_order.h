// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/grid_cloth.h"

#include <string>

namespace tulle::workflows {

// Points that somebody says are a grid, row by row. Throws an Error that says what to do if they are rather a grid of
// as many rows as this one has columns, or if neighbours of the grid are far apart among points that lie between them.
void check_grid_order(const Positions& points, const geometry::GridSize& grid, const std::string& source);

// Points that somebody says are the vertices of a mesh. Throws an Error if many of its edges are far longer than the
// others: then the points are in another order. `mesh_name` is for the sentence.
void check_mesh_order(const Positions& points, const geometry::TriangleMesh& rest, const std::string& source,
                      const std::string& mesh_name);

}  // namespace tulle::workflows
