// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/carried_forces.h"
#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// The definition of a correct `admm` step, in double precision and written to be read.
class ProjectiveDynamicsReference final : public Solver {
public:
    ProjectiveDynamicsReference(const ClothModel& model, const World& world, ForceList forces,
                                const ProjectiveDynamicsSettings& settings);
    ~ProjectiveDynamicsReference() override;

    std::vector<std::byte> memory() const override { return carried_.memory(); }
    void set_memory(std::span<const std::byte> memory) override { carried_.set_memory(memory); }

private:
    struct Factor;

    void step(ClothState& state, double dt, StepReport& report) override;
    void put_back(const VectorX& tensions, const Positions& positions);
    void project_locally(const Positions& positions, VectorX& tensions);
    Positions solve_globally(const Positions& inertial, double dt) const;

    ProjectiveDynamicsSettings settings_;
    std::unique_ptr<Factor> factor_;
    VectorX rest_lengths_;  // |E| L [m] of this step
    VectorX stiffness_;     // |E| k [N/m]
    CarriedForces carried_;
    Positions z_;  // |E|×3 [m] the springs on their own
    Positions u_;  // |E|×3 [m] scaled multipliers
};

}  // namespace tulle::physics
