// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics.h"

#include "tulle/physics/damped_springs.h"
#include "tulle/physics/solvers/admm_weights.h"
#include "tulle/physics/solvers/projective_dynamics_reference.h"
#include "tulle/physics/step_objective.h"

namespace tulle::physics {

void ProjectiveDynamics::set_memory(std::span<const std::byte> memory) {
    tensions_.set_memory(memory, model_.springs.count());
}

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
    const AdmmIterations iterations{.most = settings_.iterations, .tolerance = settings_.tolerance};
    const bool remembers = settings_.scheme == AdmmScheme::Balanced;
    // With their tensions, springs that rest would be thrown off by a start where their weight has moved them already.
    const Positions guess = remembers ? coasting_positions(state, inertial, dt) : Positions();
    const AdmmReport minimised = remembers ? kernel.minimise(inertial, rest_lengths, iterations, positions,
                                                             {guess, tensions_.at(state.time, model_.springs.count())})
                                           : kernel.minimise(inertial, rest_lengths, iterations, positions);
    report.iterations = minimised.iterations;
    report.residual = minimised.residual;
    report.stages["iterations"] += watch.lap();
    complete(state, std::move(positions), dt, report);
    if (remembers) tensions_.keep_until(state.time);
}

std::unique_ptr<Stepper> make_projective_dynamics(const ClothModel& model, const World& world, ForceList forces,
                                                  const ProjectiveDynamicsSettings& settings) {
    if (settings.reference)
        return std::make_unique<ProjectiveDynamicsReference>(model, world, std::move(forces), settings);
    return std::make_unique<ProjectiveDynamics>(model, world, std::move(forces), settings);
}

}  // namespace tulle::physics
