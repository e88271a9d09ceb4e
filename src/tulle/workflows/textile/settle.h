// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/solvers/settings.h"

#include <functional>

namespace tulle::workflows {

struct SettleSettings {
    physics::SolverSettings solver =
        physics::ProjectiveDynamicsSettings{.iterations = 40, .scheme = physics::AdmmScheme::Balanced};
    double dt = 0.005;         // [s]
    double drag_rate = 3;      // [1/s] what brings the cloth to rest; equilibrium does not depend on it
    double longest = 20;       // [s] after which it counts as it is
    double rest_speed = 5e-4;  // [m/s] of the fastest vertex, at which it rests; single precision leaves 2e-4
    std::function<bool(double seconds)> on_step = {};  // false stops
};

struct [[nodiscard]] Settled {
    physics::ClothState state;
    double speed = 0;      // [m/s] of the fastest vertex at the end
    bool stopped = false;  // by on_step
};

// Lets a cloth fall from where it starts, under gravity alone, until it rests.
Settled settle(const physics::ClothModel& model, const SettleSettings& settings);

}  // namespace tulle::workflows
