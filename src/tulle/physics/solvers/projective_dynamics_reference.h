// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// The definition of a correct `admm` step, in double precision and written to be read.
class ProjectiveDynamicsReference final : public Solver {
public:
    ProjectiveDynamicsReference(const ClothModel& model, const World& world, ForceList forces,
                                const ProjectiveDynamicsSettings& settings);
    ~ProjectiveDynamicsReference() override;

private:
    struct Factor;

    void step(ClothState& state, double dt, StepReport& report) override;
    void project_locally(const Positions& positions);
    Positions solve_globally(const Positions& inertial, double dt) const;

    ProjectiveDynamicsSettings settings_;
    std::unique_ptr<Factor> factor_;
    VectorX rest_lengths_;  // |E| L [m] of this step
    VectorX stiffness_;     // |E| k = w² [N/m]
    Positions z_;           // |E|×3 [m] the springs on their own
    Positions u_;           // |E|×3 [m] scaled multipliers
};

}  // namespace tulle::physics
