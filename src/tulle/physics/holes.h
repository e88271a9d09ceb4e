// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <vector>

namespace tulle::physics {

// Takes vertices out of a cloth without renumbering the others: their triangles, springs and hinges go, and they rest
// pinned where they start, part of nothing.
void cut_holes(ClothModel& model, const std::vector<bool>& absent /* |V| */);

}  // namespace tulle::physics
