// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_weights.h"

#include "tulle/physics/damped_springs.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

VectorX admm_weights(const ClothModel& model, double dt, const ProjectiveDynamicsSettings& settings) {
    VectorX weights = effective_stiffness(model.springs, dt);
    if (settings.scheme == AdmmScheme::Paper) return weights;
    for (long e = 0; e < weights.size(); ++e) {
        if (weights(e) == 0) continue;
        const double mass = std::min(model.masses(model.springs.edges(e, 0)), model.masses(model.springs.edges(e, 1)));
        const double free = std::sqrt(10 * mass / weights(e)) / dt, followed = 1.0 / settings.iterations;
        weights(e) *= std::min(1.0, std::max(free, followed));
    }
    return weights;
}

}  // namespace tulle::physics
