// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/triangle_mesh.h"

#include <vector>

namespace tulle::geometry {

//            c
//     x2 ──── ● ──── x1        Every triangle abc splits into four at the midpoints of its edges, and every edge
//      ╲    ╱   ╲   ╱          gives one new vertex. The vertices across its edges, x0 (over ab), x1 (over bc) and
//        ● ─────── ●           x2 (over ca), show how the cloth goes on around it.
//        a   ╲   ╱  b
//              x0
struct Subdivision {
    Triangles triangles;              // |T|×3, coarse
    Rows<int, 3> across;              // |T|×3, x0, x1 and x2; -1 beyond the border
    Rows<int, 3> edges_of_triangle;   // |T|×3, the edges ab, bc and ca
    Edges edges;                      // |E|×2, coarse vertices
    std::vector<int> fine_vertices;   // |V|, index of each coarse vertex in the fine mesh
    std::vector<int> fine_midpoints;  // |E|, index of each edge's midpoint in the fine mesh

    int coarse_count() const { return static_cast<int>(fine_vertices.size()); }
    int fine_count() const { return static_cast<int>(fine_vertices.size() + fine_midpoints.size()); }
};

// Of a mesh: the fine one has the coarse vertices first, then the midpoints in the order of mesh_edges.
Subdivision subdivide(const TriangleMesh& mesh);
TriangleMesh refine(const TriangleMesh& mesh, const Subdivision& subdivision);

// The mesh that a mesh was refined from by `subdivide`.
TriangleMesh coarsen(const TriangleMesh& fine);

// Numbers of coarse vertices, and at midpoints the means of both ends.
Eigen::VectorXf interpolate_numbers(const Subdivision& subdivision, const Eigen::VectorXf& coarse);

// Of a grid, into the grid with every cell halved: vertices keep to the numbering of grids.
Subdivision subdivide_grid(const GridSize& coarse);

}  // namespace tulle::geometry
