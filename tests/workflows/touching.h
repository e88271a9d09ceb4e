// SPDX-License-Identifier: Apache-2.0
// Which vertices of a cloth touch something. Shares no code with the contact pass, so that it can tell whether there
// was anything to do for it.
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/core/arrays.h"

namespace tulle::test {

// Vertices that are less than the thickness and `slack` [m] from a collider at `time`.
int vertices_at_colliders(const Positions& positions, const collision::Colliders& colliders, double time, double slack);

// Vertices less than `distance` [m] from a triangle whose corners were all farther than `apart` [m] from them at rest.
int vertices_at_other_layers(const Positions& positions, const Positions& rest_positions, const Triangles& triangles,
                             double distance, double apart);

}  // namespace tulle::test
