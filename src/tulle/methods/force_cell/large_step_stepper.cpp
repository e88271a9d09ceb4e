// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_stepper.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/methods/force_cell/large_step_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::methods {

Positions gated_normals(const BoxLaplacian& laplacian, const CellGrid& grid, const physics::StencilMaterial& springs,
                        const Positions& positions) {
    Positions normals = Positions::Zero(positions.rows(), 3);
    if (!laplacian.is_held()) return normals;
    parallel_for(positions.rows(), [&](long v) {
        const auto vertex = static_cast<size_t>(v);
        if (!laplacian.moves()[vertex]) return;
        // East, west, south, north: ahead and behind in the row, then in the column.
        std::array<Vector3, 4> d;
        for (size_t i = 0; i < 4; ++i) {
            const int neighbour = grid.neighbours[vertex][i];
            d[i] = neighbour < 0 ? Vector3::Zero() : Vector3(positions.row(neighbour) - positions.row(v));
        }
        const Vector3 area = (d[0] - d[1]).cross(d[2] - d[3]);
        const Vector3 normal = area / std::sqrt(area.squaredNorm() + 1e-30);
        double m = 0;
        for (size_t i = 0; i < 4; ++i) {
            const double length = springs.rest_lengths[i / 2], across = d[i].dot(normal);
            m = std::max(m, (d[i].squaredNorm() + gate_fold_weight * across * across) / (length * length));
        }
        normals.row(v) = std::clamp((gate_closes - m) / (gate_closes - gate_opens), 0.0, 1.0) * normal;
    });
    return normals;
}

Forces filtered(const LargeStep& layer, const BoxLaplacian& laplacian, const Positions& normals,
                const Forces& accelerations) {
    Forces result = laplacian.polynomial(layer.all_ways, accelerations);
    const Eigen::MatrixXd along = normals.cwiseProduct(accelerations).rowwise().sum();
    const Eigen::MatrixXd given_back = laplacian.polynomial(layer.across, along);
    result += given_back.col(0).asDiagonal() * normals;
    return result;
}

void require_taught(const LargeStep& layer, double dt) {
    if (std::abs(dt / layer.time_step - 1) > 1e-3)
        throw Error(
            "{} steps at once were learnt as steps of {:.4g} s, not of {:.4g} s; set steps_per_frame so that they "
            "are, or train them for this step",
            layer.steps, layer.time_step, dt);
}

std::vector<std::byte> started_memory(bool started) { return {started ? std::byte{1} : std::byte{0}}; }

bool parse_started_memory(std::span<const std::byte> memory) {
    if (memory.size() != 1 || memory[0] > std::byte{1})
        throw Error("this was not interrupted in a run of larger force-cell steps");
    return memory[0] == std::byte{1};
}

LargeStepReference::LargeStepReference(const physics::ClothModel& model, const physics::World& world,
                                       physics::ForceList outside, const ForceCell& cell, const LargeStep& layer,
                                       std::string note)
    : Solver(model, world, std::move(outside)),
      cell_(cell),
      layer_(layer),
      grid_(make_cell_grid(model)),
      laplacian_(model),
      springs_(cell_material(model)),
      note_(std::move(note)) {}

std::vector<std::byte> LargeStepReference::memory() const { return started_memory(started_); }
void LargeStepReference::set_memory(std::span<const std::byte> memory) { started_ = parse_started_memory(memory); }

void LargeStepReference::step(physics::ClothState& state, double dt, physics::StepReport& report) {
    require_taught(layer_, dt);
    Stopwatch watch;
    const Forces outside = external_forces(state);
    report.stages["forces"] += watch.lap();
    Forces accelerations = Forces::Zero(model_.vertex_count(), 3);
    parallel_for(accelerations.rows(), [&](long v) {
        if (laplacian_.moves()[static_cast<size_t>(v)])
            accelerations.row(v) =
                cell_acceleration(cell_, grid_, state.positions, state.velocities, static_cast<int>(v)).transpose() +
                physics::gravity_change(world_).transpose() + inverse_masses_(v) * outside.row(v);
    });
    report.stages["cell"] += watch.lap();
    const Forces impulses =
        filtered(layer_, laplacian_, gated_normals(laplacian_, grid_, springs_, state.positions), accelerations);
    const LargeStepFactors factors = started_ ? factors_after_start(world_.drag_rate, dt, layer_.steps)
                                              : factors_at_start(world_.drag_rate, dt, layer_.steps);
    Positions positions =
        state.positions + factors.place * (factors.kept * state.velocities + factors.impulse * impulses);
    started_ = true;
    model_.place_pins(state.time + dt, positions);
    report.stages["filter"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

std::unique_ptr<physics::Stepper> make_large_step(const physics::ClothModel& model, const physics::World& world,
                                                  physics::ForceList outside, const ForceCell& cell,
                                                  const LargeStep& layer, const ForceCellSettings& settings) {
    require_stable(layer, large_step_material(model));
    const std::string reason = reason_to_be_plain(model, outside, cell);
    if (settings.reference || !reason.empty())
        return std::make_unique<LargeStepReference>(model, world, std::move(outside), cell, layer,
                                                    plain_note(settings, reason));
    outside.push_back(std::make_unique<physics::Gravity>(model, cell.bias, world.interaction.get()));
    return std::make_unique<LargeStepGrid>(model, world, std::move(outside), kernel_directions(cell), layer,
                                           large_step::best_kernel(), settings.note);
}

}  // namespace tulle::methods
