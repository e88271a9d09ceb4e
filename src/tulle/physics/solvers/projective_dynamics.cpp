// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics.h"

#include "tulle/physics/solvers/projective_dynamics_reference.h"

namespace tulle::physics {

std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world,
                                                  const ProjectiveDynamicsSettings& settings) {
    return std::make_unique<ProjectiveDynamicsReference>(model, world, settings);
}

}  // namespace tulle::physics
