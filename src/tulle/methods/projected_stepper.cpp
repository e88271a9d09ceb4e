// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/projected_stepper.h"

#include "tulle/geometry/mean_edge.h"

#include "tulle/core/error.h"
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

// Numbers one after the other, the sizes among them.
class Numbers {
public:
    Numbers() = default;
    explicit Numbers(std::span<const std::byte> bytes) : numbers_(bytes.size() / sizeof(double)) {
        std::memcpy(numbers_.data(), bytes.data(), numbers_.size() * sizeof(double));
    }
    void add(const Positions& rows) {
        numbers_.push_back(static_cast<double>(rows.rows()));
        numbers_.insert(numbers_.end(), rows.data(), rows.data() + rows.size());
    }
    void add(long count) { numbers_.push_back(static_cast<double>(count)); }
    long count() { return static_cast<long>(next()); }
    Positions rows() {
        const long rows = count();
        if (rows < 0 || static_cast<size_t>(3 * rows) > numbers_.size() - next_) fail();
        const Positions taken = Eigen::Map<const Positions>(numbers_.data() + next_, rows, 3);
        next_ += static_cast<size_t>(3 * rows);
        return taken;
    }
    std::vector<std::byte> bytes() const {
        std::vector<std::byte> bytes(numbers_.size() * sizeof(double));
        std::memcpy(bytes.data(), numbers_.data(), bytes.size());
        return bytes;
    }

private:
    double next() {
        if (next_ >= numbers_.size()) fail();
        return numbers_[next_++];
    }
    [[noreturn]] static void fail() {
        throw Error("the cache was made with another projection; start again without --resume");
    }
    std::vector<double> numbers_;
    size_t next_ = 0;
};

void write(const projections::Projected& projected, Numbers& numbers) {
    numbers.add(projected.input);
    numbers.add(projected.positions);
    // Planes come and go; the next projection starts from the forces of edges alone.
    numbers.add(Positions(projected.multipliers.topRows(
        std::max(0L, projected.multipliers.rows() - static_cast<long>(projected.planes.size())))));
    numbers.add(static_cast<long>(projected.stages.size()));
    for (const projections::Projected& stage : projected.stages) write(stage, numbers);
}

projections::Projected read(Numbers& numbers, int depth = 0) {
    projections::Projected projected;
    projected.input = numbers.rows();
    projected.positions = numbers.rows();
    projected.multipliers = numbers.rows();
    const long stages = numbers.count();
    for (long i = 0; i < stages && depth < 2; ++i) projected.stages.push_back(read(numbers, depth + 1));
    return projected;
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
    Numbers numbers;
    numbers.add(static_cast<long>(inner.size()));
    write(previous_, numbers);
    std::vector<std::byte> bytes = numbers.bytes();
    bytes.insert(bytes.end(), inner.begin(), inner.end());
    return bytes;
}

void ProjectedStepper::set_memory(std::span<const std::byte> memory) {
    previous_ = {};
    if (memory.empty()) {
        stepper_->set_memory(memory);
        return;
    }
    Numbers numbers(memory.first(std::min(memory.size(), sizeof(double))));
    const long inner = numbers.count();
    if (inner < 0 || static_cast<size_t>(inner) > memory.size() - sizeof(double))
        throw Error("the cache was made with another projection; start again without --resume");
    stepper_->set_memory(memory.last(static_cast<size_t>(inner)));
    Numbers own(memory.subspan(sizeof(double), memory.size() - sizeof(double) - static_cast<size_t>(inner)));
    previous_ = read(own);
}

}  // namespace tulle::methods
