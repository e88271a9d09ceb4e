// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/solvers/settings.h"

namespace tulle::physics {

// The weights w² of the splitting z = Dx, |E| [N/m]. The paper's w² = k resists any change of a spring from where an
// iteration sees it, its rotation too; with kΔt² far above the masses, as in all fabrics, iterations then hardly move
// the cloth. A weight far below lets it move freely, but then tensions take many iterations to grow. Balanced weights
// are k times the larger of two parts, both found by experiment (docs/fabrics.md):
//   √(10 m/(kΔt²)), the geometric mean of k and ten times the inertia m/Δt² of the lighter end;
//   1/iterations, because below it tensions lag behind the cloth by more than a step, and drive it: it never rests.
VectorX admm_weights(const ClothModel& model, double dt, const ProjectiveDynamicsSettings& settings);

}  // namespace tulle::physics
