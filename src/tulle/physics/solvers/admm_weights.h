// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/solvers/settings.h"

namespace tulle::physics {

// The weights w² of the splitting z = Dx, |E| [N/m]. The paper's w² = k resists any change of a spring from where an
// iteration sees it, its rotation too; with kΔt² far above the masses, as in all fabrics, iterations then hardly move
// the cloth. A weight far below lets it move freely, but tensions grow slowly. Between them lies the geometric mean of
// k and of the inertia m/Δt² of the lighter end; ten times that inertia did best on falling, hanging and blowing
// cotton.
VectorX admm_weights(const ClothModel& model, double dt, AdmmScheme scheme);

}  // namespace tulle::physics
