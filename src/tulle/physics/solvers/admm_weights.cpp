// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_weights.h"

#include "tulle/physics/damped_springs.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

VectorX admm_weights(const ClothModel& model, double dt, AdmmScheme scheme) {
    VectorX weights = effective_stiffness(model.springs, dt);
    if (scheme == AdmmScheme::Paper) return weights;
    for (long e = 0; e < weights.size(); ++e) {
        const double mass = std::min(model.masses(model.springs.edges(e, 0)), model.masses(model.springs.edges(e, 1)));
        weights(e) = std::min(weights(e), std::sqrt(10 * weights(e) * mass) / dt);
    }
    return weights;
}

}  // namespace tulle::physics
