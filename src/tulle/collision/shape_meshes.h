// SPDX-License-Identifier: Apache-2.0
// Triangle meshes of the simple solids, wound outward.
#pragma once

#include "tulle/geometry/triangle_mesh.h"

namespace tulle::collision {

// A square of the given size [m] around `point`, seen from where `normal` points.
geometry::TriangleMesh plane_mesh(const Vector3& point, const Vector3& normal, double size);
// A sphere swept from `start` to `end`; a sphere if they are the same.
geometry::TriangleMesh capsule_mesh(const Vector3& start, const Vector3& end, double radius);
geometry::TriangleMesh box_mesh(const Vector3& center, const Vector3& size, const Matrix3& orientation);

}  // namespace tulle::collision
