// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/projections/ascent_layout.h"

#include <vector>

namespace tulle::projections {

// For every vertex within `reach` [m] of a collider's thickness, the plane that the collider's surface is there: the
// vertex must stay outside of it.
std::vector<ContactPlane> contact_planes(const collision::Colliders& colliders, double time, const Positions& positions,
                                         double reach);

}  // namespace tulle::projections
