// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/admm_kernel.h"
#include "tulle/physics/solvers/carried_forces.h"
#include "tulle/physics/solvers/solver.h"

#include <map>
#include <memory>

namespace tulle::physics {

// `admm`, the papers' P-ADMM: minimises Σ Uᵢ(zᵢ) + ½Δt⁻²‖x − x̃‖²_M subject to zᵢ = Dᵢ x by alternating between each
// spring alone and one linear system whose matrix never changes. The iterations run in the fused kernel;
// projective_dynamics_reference.h is the same step written to be read.
// With AdmmScheme::Balanced it remembers the tensions of the springs from step to step.
class ProjectiveDynamics final : public Solver {
public:
    ProjectiveDynamics(const ClothModel& model, const World& world, ForceList forces,
                       const ProjectiveDynamicsSettings& settings)
        : Solver(model, world, std::move(forces)), settings_(settings), carried_(model, world, inverse_masses_) {}

    std::vector<std::byte> memory() const override { return carried_.memory(); }
    void set_memory(std::span<const std::byte> memory) override { carried_.set_memory(memory); }

private:
    AdmmKernel& kernel_for(double dt);
    void step(ClothState& state, double dt, StepReport& report) override;
    AdmmReport minimise_from_last_step(AdmmKernel& kernel, const ClothState& state, const Positions& inertial,
                                       const VectorX& rest_lengths, double dt, Positions& positions);

    ProjectiveDynamicsSettings settings_;
    CarriedForces carried_;
    std::map<double, AdmmKernel> kernels_;  // by the length of the step; a scene with contact changes it
};

// The fused solver, or its plain twin if the settings ask for it.
std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world, ForceList forces,
                                                  const ProjectiveDynamicsSettings& settings);

}  // namespace tulle::physics
