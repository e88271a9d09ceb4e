// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_grid.h"

#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/methods/force_cell/large_step_stepper.h"

namespace tulle::methods {

using large_step::rows_above;

LargeStepGrid::LargeStepGrid(const physics::ClothModel& model, const physics::World& world, physics::ForceList forces,
                             const physics::Directions& directions, const LargeStep& layer, large_step::Kernel kernel,
                             std::string note)
    : MassSpringGrid(model, world, std::move(forces), directions, physics::mass_spring::best_kernel(), std::move(note)),
      settings_(layer),
      passes_(kernel),
      laplacian_(model),
      springs_(cell_material(model)) {
    const size_t size = static_cast<size_t>(grid().rows + rows_above + 2) * static_cast<size_t>(grid().stride);
    const auto make = [&](Field& field) { field = Field(size); };
    std::for_each(accelerations_.begin(), accelerations_.end(), make);
    std::for_each(normals_.begin(), normals_.end(), make);
    std::for_each(scratch_fields_.begin(), scratch_fields_.end(), make);
    make(centre_);
    make(moves_);
    for (size_t i = 0; i < 4; ++i) fields_.accelerations[i] = begin_of(accelerations_[i]);
    for (size_t i = 0; i < 3; ++i) fields_.normals[i] = begin_of(normals_[i]);
    for (size_t i = 0; i < 2; ++i)
        gate_.inverse_squares[i] = static_cast<float>(1 / (springs_.rest_lengths[i] * springs_.rest_lengths[i]));
    gate_.opens = static_cast<float>(gate_opens);
    gate_.closes = static_cast<float>(gate_closes);
    gate_.fold_weight = static_cast<float>(gate_fold_weight);
    set_layer();
}

// 2 (1 − 2S) y = (2 − c (n + 1)) y + c Σ of the whole box
void LargeStepGrid::set_layer() {
    constexpr int all_others = 24;
    const auto weight = static_cast<float>(4 / BoxLaplacian::largest);
    const auto centre = [&](int degree) { return 2 - weight * static_cast<float>(degree + 1); };
    const int strips = (grid().columns + large_step::strip - 1) / large_step::strip;
    inside_.assign(static_cast<size_t>(grid().rows * strips), grid().columns % large_step::strip == 0);
    if (inside_.back() == 0)
        for (int r = 0; r < grid().rows; ++r)
            for (int i = 0; i + 1 < strips; ++i) inside_[static_cast<size_t>(r * strips + i)] = 1;
    for (int v = 0; v < model_.vertex_count(); ++v) {
        const auto vertex = static_cast<size_t>(v);
        const bool moves = laplacian_.moves()[vertex];
        const int degree = laplacian_.degrees()[vertex];
        begin_of(moves_)[place(v)] = moves ? 1.0f : 0.0f;
        begin_of(centre_)[place(v)] = moves ? centre(degree) : 0.0f;
        const int row = v / grid().columns, column = v % grid().columns;
        if (!moves || degree < all_others) inside_[static_cast<size_t>(row * strips + column / large_step::strip)] = 0;
    }
    layer_ = {.box = weight,
              .centre = begin_of(centre_),
              .moves = begin_of(moves_),
              .centre_inside = centre(all_others),
              .inside = inside_.data(),
              .strips = strips};
}

float* LargeStepGrid::begin_of(Field& field) const { return field.data() + rows_above * grid().stride; }

void LargeStepGrid::run(physics::ClothState& state, double dt, int steps) {
    require_taught(settings_, dt);
    MassSpringGrid::run(state, dt, steps);
    if (steps > 0) started_ = true;
}

void LargeStepGrid::run_rows(int begin, int end, double time, double dt, int steps) {
    numerics::AlignedArray<float> scratch(physics::mass_spring::scratch_rows * static_cast<size_t>(grid().stride));
    const physics::mass_spring::State state = buffer(0);
    for (int i = 0; i < steps; ++i, time += dt) {
        passes_.accelerate(grid(), air_at(time, dt), state, layer_, gate_, fields_, scratch.data(), begin, end);
        barrier().wait();
        for (int field = 0; field < 4; ++field)
            filter(field, field < 3 ? settings_.all_ways : settings_.across, begin, end);
        const LargeStepFactors factors = started_ || i > 0 ? factors_after_start(world_.drag_rate, dt, settings_.steps)
                                                           : factors_at_start(world_.drag_rate, dt, settings_.steps);
        passes_.move(grid(), {factors.kept, factors.impulse, factors.place}, fields_, state, begin, end);
        place_pins_of_rows(begin, end, time + dt, dt, state);
        barrier().wait();
    }
}

// Clenshaw: bⱼ = cⱼ f + 2 (1 − 2S) bⱼ₊₁ − bⱼ₊₂, and the answer is c₀ f + (1 − 2S) b₁ − b₂. The first two of them are
// multiples of f, or of it and its neighbours.
void LargeStepGrid::filter(int field, const VectorX& coefficients, int begin, int end) {
    float* const f = fields_.accelerations[field];
    float* last = begin_of(scratch_fields_[0]);
    float* before = begin_of(scratch_fields_[1]);
    const auto c = [&](long j) { return static_cast<float>(coefficients(j)); };
    const auto run = [&](const large_step::Pass& pass) {
        passes_.filter(layer_, grid(), pass, begin, end);
        barrier().wait();
    };
    const long degree = coefficients.size() - 1;
    run({.own = c(degree - 1), .share = c(degree), .input = f, .last = f, .before = nullptr, .result = last});
    for (long j = degree - 2; j >= 0; --j) {
        // Before the first answer stands c f, which joins the other multiple of f.
        const bool is_second = j == degree - 2, is_answer = j == 0;
        run({.own = c(j) - (is_second ? c(degree) : 0.0f),
             .share = is_answer ? 0.5f : 1.0f,
             .input = f,
             .last = last,
             .before = is_second ? nullptr : before,
             .result = is_answer ? f : before});
        std::swap(last, before);
    }
}

std::vector<std::byte> LargeStepGrid::memory() const { return started_memory(started_); }
void LargeStepGrid::set_memory(std::span<const std::byte> memory) { started_ = parse_started_memory(memory); }

}  // namespace tulle::methods
