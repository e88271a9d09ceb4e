// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

namespace tulle::physics {

// A damped spring over one step is a spring: ½k(ℓ − L)² + ½(c/Δt)(ℓ − ℓₙ)² has stiffness k + c/Δt, which does not
// change, and a rest length between L and the length ℓₙ at the start of the step, which does.
VectorX effective_stiffness(const Springs& springs, double dt);                             // |E| [N/m]
VectorX effective_rest_lengths(const Springs& springs, const Positions& start, double dt);  // |E| [m]

}  // namespace tulle::physics
