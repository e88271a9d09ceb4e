// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

namespace tulle::geometry {

using Points2 = Rows<double, 2>;  // |V|×2 [m]

// The Delaunay triangulation of points in the plane (Bowyer 1981, Watson 1981), counter-clockwise. It takes time with
// the square of their number: a few thousand at most. No two points may be the same.
Triangles delaunay(const Points2& points);

// The region inside a closed outline as triangles with edges of about the distance between the outline's points: those
// are the first vertices, in their order (counter-clockwise); the others lie inside, on a lattice of equilateral
// triangles. Throws an Error if the outline crosses itself or its points are too unevenly spaced.
struct FilledOutline {
    Points2 points;       // |V|×2
    Triangles triangles;  // |T|×3, counter-clockwise
};
FilledOutline fill_outline(const Points2& outline, double spacing);

}  // namespace tulle::geometry
