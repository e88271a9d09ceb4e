// SPDX-License-Identifier: Apache-2.0
// Where a simulation beside a recording begins: place and velocity out of noisy frames.
#pragma once

#include "tulle/methods/force_cell/identification/cloth_parameters.h"
#include "tulle/methods/force_cell/identification/motion_recording.h"
#include "tulle/methods/force_cell/identification/trajectory_fit.h"

#include <optional>
#include <vector>

namespace tulle::methods {

std::vector<int> free_vertices(const physics::ClothModel& model);

// Place and velocity at a frame, smoothed in time by polynomials and over the grid as far as noise allows. A solver's
// velocity is how far its last step went, over its time.
physics::ClothState read_start(const KnownCloth& cloth, const MotionRecording& recording, long frame, int reach,
                               int degree, double noise);

struct BetterStart {
    physics::ClothState state;
    long frame = 0;
    int reach = 0, degree = 1;  // of the smoothing in time
};

// A simulation that was fitted knows the motion but for the little that its start was wrong; so what it leaves of the
// recording can be smoothed in time and over the grid much more than the motion itself, and a better start follows,
// some frames later. None where there is nothing to smooth.
std::optional<BetterStart> better_start(const KnownCloth& cloth, const MotionRecording& recording, long first,
                                        const FitResult& fitted, double noise);

}  // namespace tulle::methods
