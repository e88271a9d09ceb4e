// SPDX-License-Identifier: Apache-2.0
// Meshes for formats in which a vertex has one texture coordinate. Only for the .cpp files of this folder.
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <vector>

namespace tulle::io {

struct SplitMesh {
    std::vector<int> sources;  // the vertex of the mesh that each vertex of the file is; empty: the same
    Triangles triangles;       // |T|×3, of vertices of the file
    TexCoords tex_coords;      // of vertices of the file, or empty

    // The rows of the mesh's vertices as rows of the file's.
    template <typename Scalar, int Columns>
    Rows<Scalar, Columns> split(const Rows<Scalar, Columns>& rows) const {
        if (sources.empty()) return rows;
        return rows(sources, Eigen::all);
    }
    long vertex_count(long of_mesh) const { return sources.empty() ? of_mesh : static_cast<long>(sources.size()); }
};

// Vertices keep their numbers; where a texture has seams, their other texture coordinates become vertices after them.
SplitMesh split_seams(const geometry::TriangleMesh& mesh);

}  // namespace tulle::io
