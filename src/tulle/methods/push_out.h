// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/core/arrays.h"

namespace tulle::methods {

// Moves every vertex that is nearer to a collider than its thickness out along the normal; returns how many there were.
long push_out(const collision::Colliders& colliders, double time, Positions& positions);

}  // namespace tulle::methods
