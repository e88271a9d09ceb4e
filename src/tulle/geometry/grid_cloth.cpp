// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/grid_cloth.h"

#include "tulle/core/error.h"

namespace tulle::geometry {

namespace {

Triangles grid_triangles(const GridSize& size) {
    Triangles triangles(2L * (size.rows - 1) * (size.columns - 1), 3);
    long t = 0;
    for (int r = 0; r + 1 < size.rows; ++r) {
        for (int c = 0; c + 1 < size.columns; ++c) {
            triangles.row(t++) << size.index(r, c), size.index(r + 1, c), size.index(r + 1, c + 1);
            triangles.row(t++) << size.index(r, c), size.index(r + 1, c + 1), size.index(r, c + 1);
        }
    }
    return triangles;
}

}  // namespace

GridCloth make_grid_cloth(const GridSize& size, const GridPlacement& placement) {
    if (size.rows < 2 || size.columns < 2)
        throw Error("a grid cloth needs at least 2 rows and 2 columns, not {}×{}", size.rows, size.columns);
    GridCloth cloth{.size = size, .mesh = {}};
    cloth.mesh.positions.resize(size.vertex_count(), 3);
    cloth.mesh.tex_coords.resize(size.vertex_count(), 2);
    for (int r = 0; r < size.rows; ++r) {
        for (int c = 0; c < size.columns; ++c) {
            const double u = static_cast<double>(c) / (size.columns - 1);
            const double v = static_cast<double>(r) / (size.rows - 1);
            cloth.mesh.positions.row(size.index(r, c)) = placement.origin +
                                                         u * placement.width * placement.along_columns +
                                                         v * placement.height * placement.along_rows;
            cloth.mesh.tex_coords.row(size.index(r, c)) << u, 1 - v;
        }
    }
    cloth.mesh.triangles = grid_triangles(size);
    return cloth;
}

}  // namespace tulle::geometry
