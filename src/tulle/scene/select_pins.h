// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/scene/scene.h"

#include <vector>

namespace tulle::scene {

// The vertices a group of pins holds, ascending. Throws an Error if there are none, or if one is not there.
std::vector<int> select_pins(const PinSettings& pins, const physics::ClothModel& model);

}  // namespace tulle::scene
