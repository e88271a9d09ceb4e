// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/force_cell_stepper.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/solvers/mass_spring_grid.h"

#include <cmath>

namespace tulle::methods {

namespace {

// What the fused kernel calls a direction. With φ = s d, σ(φ) is d / √(|d|² + c/s²), with the sign of s.
physics::mass_spring::Direction direction_of(const ForceCell& cell, size_t i) {
    const double scale = cell.scales[2 * i];
    return {.rows = physics::stencil_offsets[i][0],
            .columns = physics::stencil_offsets[i][1],
            .stiffness = static_cast<float>(scale * cell.linear[2 * i]),
            .pull = static_cast<float>(-std::copysign(1.0, scale) * cell.nonlinear[2 * i]),
            .damping = static_cast<float>(scale * cell.derivative[2 * i]),
            .softening = std::max(physics::no_softening, static_cast<float>(cell.softening / (scale * scale)))};
}

std::string joined(const std::string& first, const std::string& second) {
    return first.empty() ? second : second.empty() ? first : first + "; " + second;
}

}  // namespace

std::string reason_to_be_plain(const physics::ClothModel& model, const physics::ForceList& forces,
                               const ForceCell& cell) {
    namespace kernel = physics::mass_spring;
    if (cell.activation != CellActivation::Isru) return "the fast cell knows isru only";
    if (!has_tied_pairs(cell)) return "the fast cell knows only cells that treat opposite neighbours alike";
    for (const double scale : cell.scales)
        if (scale == 0) return "the fast cell knows no filter of scale zero";
    if (model.grid->columns > kernel::most_columns) return "the grid is too wide for the fast cell";
    if (!physics::kernel_forces(model, forces)) return "a force acts that the fast cell does not know here";
    return "";
}

std::string plain_note(const ForceCellSettings& settings, const std::string& reason) {
    const std::string why = settings.reference ? "" : reason + ", so its plain twin runs, which is slower";
    return joined(settings.note, why);
}

physics::Directions kernel_directions(const ForceCell& cell) {
    physics::Directions directions{};
    for (size_t i = 0; i < directions.size(); ++i) directions[i] = direction_of(cell, i);
    return directions;
}

physics::ForceList forces_outside(const physics::World& world, const physics::ClothModel& model) {
    physics::ForceList forces = physics::make_forces(world, model);
    std::erase_if(forces,
                  [](const auto& force) { return dynamic_cast<const physics::Gravity*>(force.get()) != nullptr; });
    return forces;
}

std::unique_ptr<physics::Stepper> make_force_cell(const physics::ClothModel& model, const physics::World& world,
                                                  physics::ForceList outside, const ForceCell& cell,
                                                  const ForceCellSettings& settings) {
    static_cast<void>(make_cell_grid(model));  // says what is wrong with the cloth
    const std::string reason = reason_to_be_plain(model, outside, cell);
    if (settings.reference || !reason.empty())
        return std::make_unique<ForceCellReference>(model, world, std::move(outside), cell,
                                                    plain_note(settings, reason));
    // The kernel adds the bias in the place of gravity.
    outside.push_back(std::make_unique<physics::Gravity>(model, cell.bias, world.interaction.get()));
    return std::make_unique<physics::MassSpringGrid>(model, world, std::move(outside), kernel_directions(cell),
                                                     physics::mass_spring::best_kernel(), settings.note);
}

ForceCellReference::ForceCellReference(const physics::ClothModel& model, const physics::World& world,
                                       physics::ForceList outside, const ForceCell& cell, std::string note)
    : Solver(model, world, std::move(outside)), cell_(cell), grid_(make_cell_grid(model)), note_(std::move(note)) {}

void ForceCellReference::step(physics::ClothState& state, double dt, physics::StepReport& report) {
    Stopwatch watch;
    const Forces outside = external_forces(state);
    report.stages["forces"] += watch.lap();
    const double kept = std::exp(-world_.drag_rate * dt);
    Positions positions(model_.vertex_count(), 3);
    parallel_for(positions.rows(), [&](long v) {
        const Vector3 acceleration =
            cell_acceleration(cell_, grid_, state.positions, state.velocities, static_cast<int>(v)) +
            physics::gravity_change(world_) + inverse_masses_(v) * outside.row(v).transpose();
        // v ← (v + impulses) e^(−dΔt), then x ← x + Δt v (equation 5)
        positions.row(v) =
            state.positions.row(v) + dt * kept * (state.velocities.row(v) + dt * acceleration.transpose());
    });
    model_.place_pins(state.time + dt, positions);
    report.stages["cell"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

}  // namespace tulle::methods
