// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics.h"

#include "tulle/physics/damped_springs.h"
#include "tulle/physics/solvers/admm_weights.h"
#include "tulle/physics/solvers/projective_dynamics_reference.h"
#include "tulle/physics/step_objective.h"

namespace tulle::physics {

AdmmKernel& ProjectiveDynamics::kernel_for(double dt) {
    if (const auto found = kernels_.find(dt); found != kernels_.end()) return found->second;
    constexpr size_t most = 8;
    if (kernels_.size() == most) kernels_.clear();
    const VectorX weights = admm_weights(model_, dt, settings_);
    return kernels_
        .try_emplace(dt, AdmmSystem{.edges = model_.springs.edges,
                                    .stiffness = effective_stiffness(model_.springs, dt),
                                    .weights = settings_.scheme == AdmmScheme::Paper ? VectorX() : weights,
                                    .pinned = pinned_,
                                    .matrix = system_matrix(model_, dt, weights),
                                    .masses = model_.masses,
                                    .dt = dt})
        .first->second;
}

void ProjectiveDynamics::step(ClothState& state, double dt, StepReport& report) {
    AdmmKernel& kernel = kernel_for(dt);
    Stopwatch watch;
    const Positions inertial = inertial_positions(state, dt);
    report.stages["forces"] += watch.lap();

    Positions positions = state.positions;
    const VectorX rest_lengths = effective_rest_lengths(model_.springs, state.positions, dt);
    const bool remembers = settings_.scheme == AdmmScheme::Balanced;
    const AdmmReport minimised =
        remembers ? minimise_from_last_step(kernel, state, inertial, rest_lengths, dt, positions)
                  : kernel.minimise(inertial, rest_lengths, {settings_.iterations, settings_.tolerance}, positions);
    report.iterations = minimised.iterations;
    report.residual = minimised.residual;
    report.stages["iterations"] += watch.lap();
    complete(state, std::move(positions), dt, report);
    if (remembers) carried_.keep_until(state.time);
}

AdmmReport ProjectiveDynamics::minimise_from_last_step(AdmmKernel& kernel, const ClothState& state,
                                                       const Positions& inertial, const VectorX& rest_lengths,
                                                       double dt, Positions& positions) {
    VectorX& tensions = carried_.tensions.at(state.time, model_.springs.count());
    // With their tensions, springs that rest would be thrown off by a start where their weight has moved them already.
    Positions guess = coasting_positions(state, inertial, dt);
    if (!carried_.pressure.acts())
        return kernel.minimise(inertial, rest_lengths, {settings_.iterations, settings_.tolerance}, positions,
                               {guess, tensions});
    AdmmReport report;
    carried_.pressure.begin(state, dt);
    for (int left = settings_.iterations; left > 0; left -= iterations_per_correction) {
        const AdmmIterations some{.most = std::min(left, iterations_per_correction)};
        const AdmmReport minimised =
            kernel.minimise(carried_.pressure.pushed(inertial), rest_lengths, some, positions, {guess, tensions});
        guess = carried_.pressure.correct(positions);
        report = {report.iterations + minimised.iterations, minimised.residual};
    }
    return report;
}

std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world, ForceList forces,
                                                  const ProjectiveDynamicsSettings& settings) {
    if (settings.reference)
        return std::make_unique<ProjectiveDynamicsReference>(model, world, std::move(forces), settings);
    return std::make_unique<ProjectiveDynamics>(model, world, std::move(forces), settings);
}

}  // namespace tulle::physics
