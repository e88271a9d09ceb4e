// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/faces.h"
#include "tulle/geometry/grid_cloth.h"

#include <optional>
#include <vector>

namespace tulle::geometry {

// A mesh that is a grid, in whatever order its vertices and faces are.
struct RecognisedGrid {
    GridSize size;
    std::vector<int> vertices;  // rows × columns: the mesh's vertex at each place
    Faces cells;                // row by row, each from its corner (r, c) to (r + 1, c) and on around
};

// Rows and columns are found from how faces are connected: quads, or triangles whose longest edges at `rest` are the
// diagonals of cells. Place (0, 0) is the corner of the cloth with the lowest number, and rows turn so that cells keep
// their front. None unless every vertex and every face is part of one grid.
std::optional<RecognisedGrid> recognise_grid(const Faces& faces, const Positions& rest);

}  // namespace tulle::geometry
