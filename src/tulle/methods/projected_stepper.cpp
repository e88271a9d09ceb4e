// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/projected_stepper.h"

#include "tulle/geometry/mean_edge.h"

#include "tulle/core/error.h"
#include "tulle/methods/projected_memory.h"
#include "tulle/projections/cloth.h"
#include "tulle/projections/contact_planes.h"

#include <algorithm>
#include <cstring>

namespace tulle::methods {

namespace {

VectorX inverse_masses(const physics::ClothModel& model) {
    VectorX inverse = model.masses.cwiseInverse();
    for (const physics::PinGroup& group : model.pins)
        for (const int v : group.vertices) inverse(v) = 0;
    return inverse;
}

}  // namespace

ProjectedStepper::ProjectedStepper(std::unique_ptr<physics::Stepper> stepper,
                                   std::unique_ptr<const projections::Projection> projection, Contact contact,
                                   const physics::ClothModel& model, const physics::World& world)
    : stepper_(std::move(stepper)),
      projection_(std::move(projection)),
      contact_(contact),
      model_(model),
      world_(world),
      mean_edge_(geometry::mean_edge(model.mesh)),
      push_out_(model.mesh, *world.colliders),
      contacts_(model.mesh.positions, model.mesh.triangles, inverse_masses(model), world.colliders,
                world.self_contact) {}

physics::StepReport ProjectedStepper::advance(physics::ClothState& state, double dt, int steps) {
    if (contact_ == Contact::PushOut) {
        const physics::ClothState before = state;
        physics::StepReport report = stepper_->advance(state, dt, steps);
        project(state, before, dt * steps, report);
        return report;
    }
    physics::StepReport whole;
    for (int i = 0; i < steps; ++i) {
        const physics::ClothState before = state;
        physics::StepReport report = stepper_->advance(state, dt, 1);
        project(state, before, dt, report);
        report.counters.add(whole.counters);
        accumulate(report.stages, whole.stages);
        whole = std::move(report);
    }
    return whole;
}

void ProjectedStepper::project(physics::ClothState& state, const physics::ClothState& before, double dt,
                               physics::StepReport& report) {
    Stopwatch watch;
    const std::vector<projections::ContactPlane> planes =
        projections::contact_planes(*world_.colliders, state.time, state.positions, 2 * mean_edge_);
    projections::Projected projected = projection_->apply(
        state.positions, {.previous = previous_.positions.rows() > 0 ? &previous_ : nullptr, .planes = planes});
    report.counters.add("unsolved_projections", projected.report.solved ? 0 : 1);
    report.stages["projection"] += watch.lap();
    previous_ = projected;
    if (projected.positions == state.positions) return;  // the stepper's own contact and velocities stand
    state.positions = std::move(projected.positions);
    state.velocities = (state.positions - before.positions) / dt;
    if (contact_ == Contact::PushOut) {
        report.counters.add("pushed_out_vertices", push_out_.apply(state.time, state.positions));
        model_.place_pins(state.time, state.positions);
        state.velocities = (state.positions - before.positions) / dt;
    } else if (contacts_.is_needed()) {
        const collision::ContactReport contact = contacts_.apply({.start = before.positions,
                                                                  .end = state.positions,
                                                                  .velocities = state.velocities,
                                                                  .time = before.time,
                                                                  .dt = dt});
        report.counters.add("truncated_vertices", contact.truncated_vertices);
        report.counters.add("unresolved_contacts", contact.unresolved);
        accumulate(report.stages, contact.stages);
    }
}

std::vector<std::byte> ProjectedStepper::memory() const {
    const std::vector<std::byte> inner = stepper_->memory();
    const auto size = static_cast<double>(inner.size());
    const std::vector<std::byte> own = to_bytes(previous_);
    std::vector<std::byte> bytes(sizeof(double) + own.size() + inner.size());
    std::memcpy(bytes.data(), &size, sizeof(double));
    std::copy(inner.begin(), inner.end(), std::copy(own.begin(), own.end(), bytes.begin() + sizeof(double)));
    return bytes;
}

void ProjectedStepper::set_memory(std::span<const std::byte> memory) {
    previous_ = {};
    if (memory.empty()) {
        stepper_->set_memory(memory);
        return;
    }
    double inner = -1;
    if (memory.size() >= sizeof(double)) std::memcpy(&inner, memory.data(), sizeof(double));
    if (!(inner >= 0 && inner <= static_cast<double>(memory.size() - sizeof(double))))
        throw Error("the cache was made with another projection; start again without --resume");
    const auto size = static_cast<size_t>(inner);
    stepper_->set_memory(memory.last(size));
    previous_ = projected_of(memory.subspan(sizeof(double), memory.size() - sizeof(double) - size));
}

}  // namespace tulle::methods
