// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// `admm`, the papers' P-ADMM: minimise Σ Uᵢ(zᵢ) + ½Δt⁻²‖x − x̃‖²_M subject to zᵢ = Dᵢ x by alternating between each
// spring alone and one linear system whose matrix never changes. The fused kernel, or its plain twin on request.
std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world,
                                                  const ProjectiveDynamicsSettings& settings);

}  // namespace tulle::physics
