// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"
#include "tulle/physics/step_objective.h"

#include <optional>

namespace tulle::physics {

// Implicit Euler after Baraff and Witkin 1998: the step's equations are linearised where the cloth is and solved by
// conjugate gradients with a block-diagonal preconditioner; more Newton steps linearise again.
class ImplicitEuler final : public Solver {
public:
    ImplicitEuler(const ClothModel& model, const World& world, ForceList forces, const ImplicitEulerSettings& settings)
        : Solver(model, world, std::move(forces)), settings_(settings) {}

private:
    void step(ClothState& state, double dt, StepReport& report) override;
    Positions newton_step(const Positions& positions, StepReport& report);

    ImplicitEulerSettings settings_;
    double prepared_dt_ = 0;
    std::optional<StepObjective> objective_;  // for prepared_dt_
};

}  // namespace tulle::physics
