// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/start_state.h"

#include "tulle/methods/force_cell/identification/grid_smoothing.h"
#include "tulle/physics/solvers/solver.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

// What a simulation leaves of the recording: frames `first` … `first` + `frames`, recorded − simulated.
struct Remainder {
    MotionRecording left;
    std::vector<physics::ClothState> simulated;
};

Remainder remainder(const KnownCloth& cloth, const MotionRecording& recording, long first, long frames,
                    const physics::ClothState& start, const ClothParameters& parameters) {
    const physics::ClothModel model = model_with(cloth, spring_kinds(cloth.model), parameters);
    const physics::World world = world_with(cloth, parameters);
    const auto stepper = physics::make_solver(model, world, cloth.solver.value());
    Remainder result{{{}, recording.time(first), recording.frame_time}, {start}};
    for (long f = 0; f <= frames; ++f) {
        if (f > 0) {
            result.simulated.push_back(result.simulated.back());
            stepper->advance(result.simulated.back(), recording.frame_time / cloth.steps_per_frame,
                             cloth.steps_per_frame);
        }
        result.left.frames.push_back(recording.frames[static_cast<size_t>(first + f)] -
                                     result.simulated.back().positions);
    }
    return result;
}

void clear_pins(const std::vector<bool>& pinned, Positions& values) {
    for (long v = 0; v < values.rows(); ++v)
        if (pinned[static_cast<size_t>(v)]) values.row(v).setZero();
}

}  // namespace

std::vector<int> free_vertices(const physics::ClothModel& model) {
    std::vector<int> result;
    const std::vector<bool> pinned = model.pinned();
    for (int v = 0; v < model.vertex_count(); ++v)
        if (!pinned[static_cast<size_t>(v)]) result.push_back(v);
    return result;
}

physics::ClothState read_start(const KnownCloth& cloth, const MotionRecording& recording, long frame, int reach,
                               int degree, double noise) {
    const double dt = recording.frame_time / cloth.steps_per_frame;
    const TimeKernel now = local_polynomial(std::max(reach, 1), degree, 0);
    const TimeKernel change =
        difference(now, local_polynomial(std::max(reach, 1), degree, -1.0 / cloth.steps_per_frame));
    physics::ClothState state{apply(now, recording, frame), apply(change, recording, frame) / dt,
                              recording.time(frame)};
    Positions earlier = state.positions;
    cloth.model.place_pins(state.time, state.positions);
    cloth.model.place_pins(state.time - dt, earlier);
    const std::vector<bool> pinned = cloth.model.pinned();
    const auto move_pins = [&] {
        for (int v = 0; v < cloth.model.vertex_count(); ++v)
            if (pinned[static_cast<size_t>(v)])
                state.velocities.row(v) = (state.positions.row(v) - earlier.row(v)) / dt;
    };
    move_pins();
    state.positions =
        fairly_smoothed_over_grid(state.positions, *cloth.model.grid, noise * std::sqrt(now.noise_gain()), pinned);
    state.velocities = fairly_smoothed_over_grid(state.velocities, *cloth.model.grid,
                                                 noise * std::sqrt(change.noise_gain()) / dt, pinned);
    cloth.model.place_pins(state.time, state.positions);
    move_pins();
    return state;
}

std::optional<BetterStart> better_start(const KnownCloth& cloth, const MotionRecording& recording, long first,
                                        const FitResult& fitted, double noise) {
    const long place = std::min(48L, (recording.count() - first) / 4);
    const Remainder rest = remainder(cloth, recording, first, 2 * place, fitted.start, fitted.parameters);
    constexpr int degree = 1;
    const FairReach fair = fair_reach(rest.left, place, degree, noise, free_vertices(cloth.model));
    if (fair.reach < 2) return std::nullopt;
    const double dt = recording.frame_time / cloth.steps_per_frame;
    const TimeKernel now = local_polynomial(fair.reach, degree, 0);
    const TimeKernel change = difference(now, local_polynomial(fair.reach, degree, -1.0 / cloth.steps_per_frame));
    const std::vector<bool> pinned = cloth.model.pinned();
    const auto smooth = [&](const TimeKernel& kernel, double unit) {
        Positions values = apply(kernel, rest.left, place) / unit;
        clear_pins(pinned, values);
        const double deviation = noise * std::sqrt(kernel.noise_gain()) / unit;
        Positions result = fairly_smoothed_over_grid(values, *cloth.model.grid, deviation, pinned);
        clear_pins(pinned, result);
        return result;
    };
    BetterStart start{rest.simulated[static_cast<size_t>(place)], first + place, fair.reach, degree};
    start.state.positions += smooth(now, 1);
    start.state.velocities += smooth(change, dt);
    return start;
}

}  // namespace tulle::methods
