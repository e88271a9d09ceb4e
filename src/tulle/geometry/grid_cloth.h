// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

namespace tulle::geometry {

//  row 0    0 ── 1 ── 2        Vertices are numbered along rows. `along_columns` points from one column to the next,
//           │ ╲  │ ╲  │        `along_rows` from one row to the next. Each quad is cut from its first corner to the
//  row 1    3 ── 4 ── 5        opposite one.
struct GridSize {
    int rows = 2;
    int columns = 2;

    int vertex_count() const { return rows * columns; }
    int index(int row, int column) const { return row * columns + column; }
    bool operator==(const GridSize&) const = default;
};

// A rectangular cloth that remembers its rows and columns.
struct GridCloth {
    GridSize size;
    TriangleMesh mesh;
};

struct GridPlacement {
    Vector3 origin = Vector3::Zero();          // [m] where vertex (0, 0) lies
    Vector3 along_columns = Vector3::UnitX();  // unit
    Vector3 along_rows = -Vector3::UnitZ();    // unit
    double width = 1;                          // [m] first to last column
    double height = 1;                         // [m] first to last row
};

GridCloth make_grid_cloth(const GridSize& size, const GridPlacement& placement);

}  // namespace tulle::geometry
