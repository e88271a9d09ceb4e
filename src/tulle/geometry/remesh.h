// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <functional>

namespace tulle::geometry {

struct RemeshSettings {
    std::function<double(const Vector3&)> edge_length;  // [m] wanted at a point
    std::function<Vector3(const Vector3&)> to_surface;  // draws a point near the surface onto it
    int passes = 8;
};

// A closed manifold mesh of finer edges made into one whose edges have about the wanted lengths and whose triangles are
// as even as can be (Botsch and Kobbelt 2004, without splits): short edges are collapsed, edges are flipped where that
// evens out how many meet at a vertex, and vertices are moved to the mean of their neighbours and back onto the
// surface. The topology of the surface stays what it was.
TriangleMesh remesh(const TriangleMesh& mesh, const RemeshSettings& settings);

}  // namespace tulle::geometry
