// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <cstdint>

namespace tulle::workflows {

// Where a cloth starts, moved along its normals by a smooth random field of the given size [m] at its largest: eight
// waves of random direction and phase, from half to twice as long as the cloth, which vanish towards the pins. So
// nothing is stretched that was not, and a seed always gives the same start.
Positions moved_start(const physics::ClothModel& model, double size, std::uint64_t seed);

}  // namespace tulle::workflows
