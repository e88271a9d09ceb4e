// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// Minimises each step to a tight residual: Newton's method with conjugate gradients, preconditioned by the factor of
// projective dynamics, and a line search. The Hessian is projected to be positive definite until the minimum is near.
class Newton final : public Solver {
public:
    Newton(const ClothModel& model, const World& world, ForceList forces, const NewtonSettings& settings);
    ~Newton() override;

private:
    struct Prepared;  // what depends on Δt

    void step(ClothState& state, double dt, StepReport& report) override;

    NewtonSettings settings_;
    std::unique_ptr<Prepared> prepared_;
};

}  // namespace tulle::physics
