// SPDX-License-Identifier: Apache-2.0
// Small cloths, and recordings of them in memory.
#pragma once

#include "tests/support/cloths.h"
#include "tulle/methods/force_cell/identification/identification.h"

#include <cmath>
#include <numbers>

namespace tulle::test {

// A square cloth of springs with one Young's modulus, pinned along its first row, swinging down from the horizontal.
inline methods::ClothParameters young_parameters() {
    return {.stiffness = {3, 3, 3}, .damping = {0.03, 0.03, 0.03}, .drag = 0.8, .gravity = {0, 0, -9.81}};
}

inline methods::ClothParameters kinds_parameters() {
    return {.stiffness = {4, 2.5, 1.5}, .damping = {0.04, 0.02, 0.03}, .drag = 0.8, .gravity = {0, 0, -9.81}};
}

inline methods::KnownCloth swinging_cloth(const physics::SolverSettings& solver, int side = 10) {
    physics::ClothModel model = grid_cloth({.rows = side, .columns = side, .spacing = 0.05, .mass = 2e-3});
    std::vector<int> first_row;
    for (int c = 0; c < side; ++c) first_row.push_back(c);
    pin(model, first_row);
    return methods::with_all_springs(
        {.model = model, .world = {}, .stiffness_per_length = true, .solver = solver, .steps_per_frame = 1});
}

// Every `steps_per_frame`-th step of a simulation, in full precision.
inline methods::MotionRecording record(const methods::KnownCloth& cloth, const methods::ClothParameters& parameters,
                                       double dt, int frames) {
    const physics::ClothModel model = methods::model_with(cloth, methods::spring_kinds(cloth.model), parameters);
    const physics::World world = methods::world_with(cloth, parameters);
    const auto solver = physics::make_solver(model, world, cloth.solver.value());
    physics::ClothState state = at_rest(model);
    methods::MotionRecording recording{{state.positions}, 0, dt * cloth.steps_per_frame};
    for (int f = 0; f < frames; ++f) {
        solver->advance(state, dt, cloth.steps_per_frame);
        recording.frames.push_back(state.positions);
    }
    return recording;
}

inline methods::MotionRecording with_noise(methods::MotionRecording recording, double deviation, std::uint64_t seed) {
    Random random(seed);
    for (Positions& frame : recording.frames)
        for (double& value : frame.reshaped<Eigen::RowMajor>())
            value += deviation * std::sqrt(-2 * std::log(1 - random.uniform())) *
                     std::cos(2 * std::numbers::pi * random.uniform());
    return recording;
}

inline double relative_error(const methods::IdentificationReport& report, const methods::ClothParameters& truth,
                             int index) {
    const double scale = index < 7 ? methods::to_vector(truth)(index) : truth.gravity.norm();
    return std::abs(report.values[static_cast<size_t>(index)].value - methods::to_vector(truth)(index)) / scale;
}

}  // namespace tulle::test
