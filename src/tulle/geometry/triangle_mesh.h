// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/geometry/faces.h"

#include <string>
#include <vector>

namespace tulle::geometry {

struct TriangleMesh {
    Positions positions;   // |V|×3 [m]
    Triangles triangles;   // |T|×3
    TexCoords tex_coords;  // |V|×2, or empty
    Faces faces = {};      // the polygons that it was drawn with, and its seams; empty: the triangles, without seams

    int vertex_count() const { return static_cast<int>(positions.rows()); }
    int triangle_count() const { return static_cast<int>(triangles.rows()); }
};

//      x2
//     /  \         An edge x0–x1 and the vertices opposite it, one in each of its triangles.
//   x0 -- x1       A border edge has x3 = -1.
//     \  /
//      x3
struct MeshEdges {
    Edges edges;               // |E|×2, each with the smaller index first, in order of first use
    Edges opposite;            // |E|×2, x2 and x3; -1 where there is none
    Rows<int, 3> of_triangle;  // |T|×3, the edges (0–1, 1–2, 2–0) of each triangle
};

// Throws if three triangles share an edge.
MeshEdges mesh_edges(const TriangleMesh& mesh);

// Throws an Error that names `source` unless the mesh can be a cloth: not empty, finite, indices in range, no triangle
// without area, every vertex used, no edge with three triangles.
void check_cloth_mesh(const TriangleMesh& mesh, const std::string& source);

VectorX triangle_areas(const Positions& positions, const Triangles& triangles);  // |T| [m²]
VectorX vertex_areas(const Positions& positions,
                     const Triangles& triangles);  // |V| [m²], a third of each triangle around
Positions vertex_normals(const Positions& positions, const Triangles& triangles);  // |V|×3, unit, area-weighted

}  // namespace tulle::geometry
