// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

namespace tulle::collision {

// The mesh, wound outward. Throws an Error unless it bounds a solid: not empty, finite, indices in range, two
// triangles at every edge that run along it in opposite directions, and a volume that is not zero.
geometry::TriangleMesh closed_mesh(const geometry::TriangleMesh& mesh);

}  // namespace tulle::collision
