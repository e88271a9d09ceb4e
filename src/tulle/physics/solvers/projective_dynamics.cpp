// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics.h"

#include "tulle/physics/damped_springs.h"
#include "tulle/physics/solvers/projective_dynamics_reference.h"
#include "tulle/physics/step_objective.h"

namespace tulle::physics {

void ProjectiveDynamics::step(ClothState& state, double dt, StepReport& report) {
    if (prepared_dt_ != dt) {
        kernel_ = std::make_unique<AdmmKernel>(AdmmSystem{.edges = model_.springs.edges,
                                                          .stiffness = effective_stiffness(model_.springs, dt),
                                                          .pinned = pinned_,
                                                          .matrix = system_matrix(model_, dt),
                                                          .masses = model_.masses,
                                                          .dt = dt});
        prepared_dt_ = dt;
    }
    Stopwatch watch;
    const Positions inertial = inertial_positions(state, dt);
    report.stages["forces"] += watch.lap();

    Positions positions = state.positions;
    const AdmmReport minimised =
        kernel_->minimise(inertial, effective_rest_lengths(model_.springs, state.positions, dt),
                          {.most = settings_.iterations, .tolerance = settings_.tolerance}, positions);
    report.iterations = minimised.iterations;
    report.residual = minimised.residual;
    report.stages["iterations"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world, ForceList forces,
                                                  const ProjectiveDynamicsSettings& settings) {
    if (settings.reference)
        return std::make_unique<ProjectiveDynamicsReference>(model, world, std::move(forces), settings);
    return std::make_unique<ProjectiveDynamics>(model, world, std::move(forces), settings);
}

}  // namespace tulle::physics
