// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/upscaling_stepper.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/miniature.h"
#include "tulle/physics/solvers/solver.h"

#include <algorithm>
#include <cstring>

namespace tulle::methods {

UpscalingStepper::UpscalingStepper(CoarseCloth coarse, std::unique_ptr<const Upscaler> upscaler,
                                   const physics::ClothModel& fine, const physics::World& world,
                                   std::unique_ptr<ShownContact> contact)
    : coarse_(std::move(coarse)),
      upscaler_(std::move(upscaler)),
      fine_(fine),
      push_out_(fine.mesh, *world.colliders),
      contact_(std::move(contact)) {
    if (upscaler_->coarse_count() != coarse_.model->vertex_count() || upscaler_->fine_count() != fine.vertex_count())
        throw Error("the upscaler turns {} vertices into {}, but the cloths have {} and {}", upscaler_->coarse_count(),
                    upscaler_->fine_count(), coarse_.model->vertex_count(), fine.vertex_count());
}

physics::StepReport UpscalingStepper::advance(physics::ClothState& state, double dt, int steps) {
    if (seen_.empty()) {
        coarse_state_ = {geometry::sample(coarse_.fine_vertices, state.positions),
                         geometry::sample(coarse_.fine_vertices, state.velocities), state.time};
        seen_.assign(static_cast<size_t>(upscaler_->frames_seen()), coarse_state_.positions);
    }
    physics::StepReport report = advance_coarse(dt, steps);
    Stopwatch watch;
    std::rotate(seen_.begin(), seen_.begin() + 1, seen_.end());
    seen_.back() = coarse_state_.positions;

    std::swap(before_, state.positions);
    last_ = upscaler_->upscale(seen_, state.positions);
    report.counters.add("collapsed_pieces", last_.collapsed_pieces);
    state.time = coarse_state_.time;
    report.counters.add("pushed_out_vertices", push_out_.apply(state.time, state.positions));
    fine_.place_pins(state.time, state.positions);
    if (contact_) {
        const collision::PatchContactOutcome outcome =
            contact_->apply(coarse_state_.positions, state.time, state.positions);
        report.counters.add("shown_contacts", outcome.contacts);
        report.counters.add("returned_vertices", outcome.returned_vertices);
        report.counters.add("unresolved_contacts", outcome.unresolved);
    }
    parallel_ranges(state.positions.rows(), [&](long begin, long end) {
        state.velocities.middleRows(begin, end - begin) =
            (state.positions - before_).middleRows(begin, end - begin) / (dt * steps);
    });
    report.stages["inference"] += watch.milliseconds();
    return report;
}

Eigen::VectorXf UpscalingStepper::bounds() const {
    return seen_.empty() ? Eigen::VectorXf(Eigen::VectorXf::Zero(fine_.vertex_count()))
                         : upscaler_->vertex_bounds(last_);
}

// Whoever hears of a divergence knows the vertices that are shown.
physics::StepReport UpscalingStepper::advance_coarse(double dt, int steps) {
    try {
        return coarse_.solver->advance(coarse_state_, dt, steps);
    } catch (const physics::Divergence& divergence) {
        throw physics::Divergence(coarse_.fine_vertices.at(static_cast<size_t>(divergence.vertex)), coarse_state_.time);
    }
}

// The coarse positions and velocities, the frames seen, and the time, as plain numbers; then what the solver remembers.
std::vector<std::byte> UpscalingStepper::memory() const {
    std::vector<double> numbers = {coarse_state_.time};
    const auto add = [&](const Positions& rows) {
        numbers.insert(numbers.end(), rows.data(), rows.data() + rows.size());
    };
    if (!seen_.empty()) {
        add(coarse_state_.positions);
        add(coarse_state_.velocities);
        for (const Positions& frame : seen_) add(frame);
    }
    std::vector<std::byte> bytes(numbers.size() * sizeof(double));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    const std::vector<std::byte> inner = coarse_.solver->memory();
    bytes.insert(bytes.end(), inner.begin(), inner.end());
    return bytes;
}

void UpscalingStepper::set_memory(std::span<const std::byte> memory) {
    const auto frames = static_cast<size_t>(upscaler_->frames_seen());
    const long vertices = coarse_.model->vertex_count();
    const size_t whole = 1 + (2 + frames) * static_cast<size_t>(3 * vertices);
    if (memory.size() == sizeof(double)) {  // from before the first step
        seen_.clear();
        return;
    }
    const size_t own = whole * sizeof(double);
    try {
        if (memory.size() < own) throw Error("too little");
        coarse_.solver->set_memory(memory.subspan(own));
    } catch (const Error&) {
        throw Error("the cache was made with another coarse cloth; start again without --resume");
    }
    std::vector<double> numbers(whole);
    std::memcpy(numbers.data(), memory.data(), own);
    const double* next = numbers.data();
    coarse_state_.time = *next++;
    const auto take = [&] {
        const Positions rows = Eigen::Map<const Positions>(next, vertices, 3);
        next += rows.size();
        return rows;
    };
    coarse_state_.positions = take();
    coarse_state_.velocities = take();
    seen_.clear();
    for (size_t i = 0; i < frames; ++i) seen_.push_back(take());
}

}  // namespace tulle::methods
