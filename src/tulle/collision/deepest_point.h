// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/shape.h"

#include <array>
#include <optional>

namespace tulle::collision {

using Corners = std::array<Vector3, 3>;

// The point Σ weights[i] x_i of a triangle that is nearest to a solid, or deepest in it.
struct DeepestPoint {
    std::array<double, 3> weights{};  // not negative, they add up to 1
    Vector3 place = Vector3::Zero();  // [m]
    SurfacePoint surface;             // of the solid, seen from that point
};

// Nothing if all of the triangle is at least `wanted` [m] away. For convex solids that is proven; for others the search
// may miss what is much smaller than the triangle. The point is the deepest to within `precision` [m], likewise.
std::optional<DeepestPoint> deepest_point(const Shape& shape, const Corners& corners, double wanted, double precision);

// True if the triangle is at least `wanted` [m] in front of the plane that touches the solid where that is nearest to
// `point`. A convex solid is then as far away from it, and from all between it and another triangle in front.
bool plane_separates(const SurfacePoint& surface, const Vector3& point, const Corners& corners, double wanted);

}  // namespace tulle::collision
