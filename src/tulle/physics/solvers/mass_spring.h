// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// `mass_spring`, the force-cell paper's semi-implicit step (its equations 1–5): all forces at the start of the step
// change the velocities, and the new velocities move the vertices. The fused kernel where the cloth is a uniform grid,
// its plain twin elsewhere, where a force acts that the kernel does not know, and on request.
std::unique_ptr<Stepper> make_mass_spring(const ClothModel& model, const World& world, ForceList forces,
                                          const MassSpringSettings& settings);

}  // namespace tulle::physics
