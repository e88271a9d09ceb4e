// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"

namespace tulle::physics {

double elastic_energy(const ClothModel& model, const Positions& positions);    // springs and bending [J]
Forces elastic_forces(const ClothModel& model, const Positions& positions);    // −∂U/∂x, |V|×3 [N]
double kinetic_energy(const ClothModel& model, const Velocities& velocities);  // [J]

}  // namespace tulle::physics
