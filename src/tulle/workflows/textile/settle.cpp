// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/settle.h"

#include "tulle/physics/solvers/solver.h"

namespace tulle::workflows {

Settled settle(const physics::ClothModel& model, const SettleSettings& settings) {
    const physics::World world{.drag_rate = settings.drag_rate};
    const auto solver = physics::make_solver(model, world, settings.solver);
    Settled settled{.state = {model.start_positions, Velocities::Zero(model.vertex_count(), 3), 0}};
    // A swinging cloth stands still for a moment at each end of its way.
    constexpr double long_enough = 0.5;  // [s]
    double still_since = 0;              // [s]
    do {
        static_cast<void>(solver->advance(settled.state, settings.dt, 1));
        settled.speed = settled.state.velocities.rowwise().norm().maxCoeff();
        if (settled.speed > settings.rest_speed) still_since = settled.state.time;
        if (settings.on_step) settled.stopped = !settings.on_step(settled.state.time);
    } while (!settled.stopped && settled.state.time < settings.longest &&
             settled.state.time < still_since + long_enough);
    return settled;
}

}  // namespace tulle::workflows
