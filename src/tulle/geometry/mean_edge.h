// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

namespace tulle::geometry {

// The mean length of the edges of a mesh [m]; 0 if it has none.
inline double mean_edge(const TriangleMesh& mesh) {
    const Edges edges = mesh_edges(mesh).edges;
    double sum = 0;
    for (const auto edge : edges.rowwise()) sum += (mesh.positions.row(edge(0)) - mesh.positions.row(edge(1))).norm();
    return edges.rows() > 0 ? sum / static_cast<double>(edges.rows()) : 0;
}

}  // namespace tulle::geometry
