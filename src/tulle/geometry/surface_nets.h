// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

#include <functional>

namespace tulle::geometry {

// Negative inside; near its zero about a distance [m].
using Implicit = std::function<double(const Vector3&)>;

struct SurfaceNetsSettings {
    double spacing = 0.02;  // [m] of the grid, about the length of an edge
    int relaxations = 12;   // how often vertices are moved to the mean of their neighbours and back onto the surface
};

// The surface on which `implicit` is zero inside `bounds` as triangles, wound outward: one vertex in every cell of a
// grid that the surface passes through (Gibson 1998), drawn to the surface and spread evenly over it. The grid has a
// plane of cells centred at x = 0, so that what is symmetric stays so. The surface must not reach the bounds. Closed
// and manifold: where two sheets are nearer than a cell, what is between them is filled.
TriangleMesh surface_nets(const Implicit& implicit, const Eigen::AlignedBox3d& bounds,
                          const SurfaceNetsSettings& settings = {});

// A point near the surface drawn onto it: Newton's steps along the gradient, none longer than `longest` [m].
Vector3 drawn_to_surface(const Implicit& implicit, Vector3 point, double longest, int steps = 3);

}  // namespace tulle::geometry
