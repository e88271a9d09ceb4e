// SPDX-License-Identifier: Apache-2.0
// Faces of a mesh that was made finer, with the texture coordinates of the coarse faces interpolated inside each of
// them, so that seams stay where they were.
#pragma once

#include "tulle/geometry/faces.h"
#include "tulle/geometry/recognise_grid.h"
#include "tulle/geometry/subdivision.h"

#include <vector>

namespace tulle::geometry {

// Quads begin at their shorter diagonal, which fan_triangles cuts, and larger polygons are triangles.
Faces ready_to_cut(const Faces& faces, const Positions& positions);

// Of the subdivided fan_triangles(faces): a triangle gives four of them, a quad four quads.
Faces finer_faces(const Faces& faces, const Subdivision& subdivision);

// Each cell gives factor × factor quads. `fine_vertices`: the vertex at each place of the finer grid.
Faces finer_cells(const RecognisedGrid& grid, int factor, const std::vector<int>& fine_vertices);

}  // namespace tulle::geometry
