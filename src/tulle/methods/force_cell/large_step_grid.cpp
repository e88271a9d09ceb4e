// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_grid.h"

#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/methods/force_cell/large_step_stepper.h"

#include <omp.h>

#include <algorithm>

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
    for (ScratchFields& scratch : scratch_fields_) std::for_each(scratch.begin(), scratch.end(), make);
    for (Field* field : {&centre_, &squares_, &scales_, &pulls_, &inverse_scales_}) make(*field);
    for (size_t i = 0; i < 4; ++i) fields_.accelerations[i] = begin_of(accelerations_[i]);
    for (size_t i = 0; i < 3; ++i) fields_.normals[i] = begin_of(normals_[i]);
    for (size_t i = 0; i < 2; ++i)
        gate_.inverse_squares[i] = static_cast<float>(1 / (springs_.rest_lengths[i] * springs_.rest_lengths[i]));
    gate_.opens = static_cast<float>(gate_opens);
    gate_.closes = static_cast<float>(gate_closes);
    if (!laplacian_.is_held()) gate_.opens = -2, gate_.closes = -1;  // never open
    gate_.fold_weight = static_cast<float>(gate_fold_weight);
    set_layer();
}

float* LargeStepGrid::begin_of(Field& field) const { return field.data() + rows_above * grid().stride; }

// 2 (1 − 2S) z = (2 − c (Σ fᵢ fⱼ + f²)) z + c f² Σ of the whole box, for z = f y
void LargeStepGrid::set_layer() {
    const double weight = 4 / BoxLaplacian::unit;
    const int strips = (grid().columns + large_step::strip - 1) / large_step::strip;
    inside_.assign(static_cast<size_t>(grid().rows * strips), 1);
    const auto leave = [&](int row, int column) {
        inside_[static_cast<size_t>(row * strips + column / large_step::strip)] = 0;
    };
    for (int r = 0; r < grid().rows; ++r) {
        if (grid().columns % large_step::strip != 0) leave(r, grid().columns - 1);
        for (int c = 0; c < grid().columns; ++c) {
            const int v = r * grid().columns + c;
            const bool moves = laplacian_.moves()[static_cast<size_t>(v)];
            const double f = moves ? laplacian_.scales()(v) : 0, sum = laplacian_.weights()(v);
            const size_t at = place(v);
            begin_of(scales_)[at] = static_cast<float>(f);
            begin_of(pulls_)[at] = static_cast<float>(f * inverse_masses_(v));
            begin_of(inverse_scales_)[at] = moves ? static_cast<float>(1 / f) : 0.0f;
            begin_of(squares_)[at] = static_cast<float>(f * f);
            begin_of(centre_)[at] = moves ? static_cast<float>(2 - weight * (sum + f * f)) : 0.0f;
            if (f != 1 || sum != BoxLaplacian::others) leave(r, c);
        }
    }
    layer_ = {.box = static_cast<float>(weight),
              .centre = begin_of(centre_),
              .squares = begin_of(squares_),
              .scales = begin_of(scales_),
              .pulls = begin_of(pulls_),
              .inverse_scales = begin_of(inverse_scales_),
              .centre_inside = static_cast<float>(2 - weight * (BoxLaplacian::others + 1)),
              .inside = inside_.data(),
              .strips = strips};
}

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
        filter(begin, end);
        const LargeStepFactors factors = started_ || i > 0 ? factors_after_start(world_.drag_rate, dt, settings_.steps)
                                                           : factors_at_start(world_.drag_rate, dt, settings_.steps);
        passes_.move(grid(), layer_, {factors.kept, factors.impulse, factors.place}, fields_, state, begin, end);
        place_pins_of_rows(begin, end, time + dt, dt, state);
        barrier().wait();
    }
}

// One thread filters field after field, in scratch that stays in its cache. Several filter all fields before they wait
// for each other. The numbers are the same.
void LargeStepGrid::filter(int begin, int end) {
    const int fields = laplacian_.is_held() ? 4 : 3;
    const long passes = std::max(settings_.all_ways.size(), settings_.across.size()) - 1;
    if (omp_get_num_threads() == 1) {
        for (int field = 0; field < fields; ++field)
            for (long pass = 0; pass < passes; ++pass) run_pass(pass, field, scratch_fields_[0], begin, end);
        return;
    }
    for (long pass = 0; pass < passes; ++pass) {
        for (int field = 0; field < fields; ++field)
            run_pass(pass, field, scratch_fields_[static_cast<size_t>(field)], begin, end);
        barrier().wait();
    }
}

// Clenshaw: bⱼ = cⱼ f + 2 (1 − 2S) bⱼ₊₁ − bⱼ₊₂, and the answer is c₀ f + (1 − 2S) b₁ − b₂. The first is a multiple of f
// and needs no pass; it joins the other multiples of f in the two that follow.
void LargeStepGrid::run_pass(long pass, int field, ScratchFields& scratch, int begin, int end) {
    const VectorX& coefficients = field < 3 ? settings_.all_ways : settings_.across;
    const long degree = coefficients.size() - 1, j = degree - 1 - pass;
    if (j < 0) return;
    const auto c = [&](long i) { return static_cast<float>(coefficients(i)); };
    float* const f = fields_.accelerations[field];
    float* const here = begin_of(scratch[static_cast<size_t>(pass % 2)]);
    const float* const last = begin_of(scratch[static_cast<size_t>((pass + 1) % 2)]);
    const bool is_answer = j == 0;
    passes_.filter(layer_, grid(),
                   {.own = c(j) - (pass == 1 ? c(degree) : 0.0f),
                    .share = (pass == 0 ? c(degree) : 1.0f) * (is_answer ? 0.5f : 1.0f),
                    .input = f,
                    .last = pass == 0 ? f : last,
                    .before = pass < 2 ? nullptr : here,
                    .result = is_answer ? f : here},
                   begin, end);
}

std::vector<std::byte> LargeStepGrid::memory() const { return started_memory(started_); }
void LargeStepGrid::set_memory(std::span<const std::byte> memory) { started_ = parse_started_memory(memory); }

}  // namespace tulle::methods
