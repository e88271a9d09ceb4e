// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_stepper.h"

#include "tulle/methods/projected_memory.h"

namespace tulle::methods {

GarmentStepper::GarmentStepper(std::unique_ptr<const InferredGarment> garment, WearersMotion motion,
                               GarmentFinish finish, const physics::ClothModel& model, const physics::World& world)
    : garment_(std::move(garment)), motion_(std::move(motion)), finish_(std::move(finish)), model_(model) {
    if (finish_.pushes_out) push_out_.emplace(model.mesh, *world.colliders);
}

physics::StepReport GarmentStepper::advance(physics::ClothState& state, double dt, int steps) {
    physics::StepReport report;
    Stopwatch watch;
    const double time = state.time + dt * steps;
    InferredGarment::Answer answer = garment_->infer(motion_.pose_at(time));
    report.counters.add("poses_outside", answer.is_outside ? 1 : 0);
    Positions positions = answer.positions * motion_.to_world.linear().transpose();
    positions.rowwise() += motion_.to_world.translation().transpose();
    model_.place_pins(time, positions);
    report.stages["inference"] += watch.lap();
    if (finish_.projection) project(positions, report);
    report.stages["projection"] += watch.lap();
    if (push_out_) {
        report.counters.add("pushed_out_vertices", push_out_->apply(time, positions));
        model_.place_pins(time, positions);
        report.stages["push_out"] += watch.lap();
    }
    state.velocities = (positions - state.positions) / (dt * steps);
    state.positions = std::move(positions);
    state.time = time;
    return report;
}

void GarmentStepper::project(Positions& positions, physics::StepReport& report) {
    previous_ = finish_.projection->apply(positions, {.previous = previous_.positions.rows() > 0 ? &previous_ : nullptr,
                                                      .planes = {},
                                                      .mu = finish_.mu.size() > 0 ? &finish_.mu : nullptr});
    report.iterations = previous_.report.iterations;
    report.counters.add("unsolved_projections", previous_.report.solved ? 0 : 1);
    positions = previous_.positions;
}

std::vector<std::byte> GarmentStepper::memory() const {
    return finish_.projection ? to_bytes(previous_) : std::vector<std::byte>();
}

void GarmentStepper::set_memory(std::span<const std::byte> memory) {
    previous_ = memory.empty() ? projections::Projected() : projected_of(memory);
}

}  // namespace tulle::methods
