// SPDX-License-Identifier: Apache-2.0
// The parameters with which the cloth, simulated from where the recording begins, stays nearest to the recording. Noise
// is then what it is in the recording: independent in every coordinate of every frame, so plain least squares is best,
// and nothing is differentiated in time but the first few frames, for the velocities to begin with.
#pragma once

#include "tulle/methods/force_cell/identification/cloth_parameters.h"
#include "tulle/methods/force_cell/identification/motion_recording.h"
#include "tulle/physics/cloth_state.h"

#include <functional>
#include <vector>

namespace tulle::methods {

struct FitProgress {
    long done = 0, total = 0;
};

struct FitSettings {
    double noise = 0;          // [m] of the positions
    int reach = 0;             // of the time kernel for the start [frames]; 0: two frames as they are
    int degree = 3;            // of its polynomial
    double start_misfit = 1;   // how much worse the start may be than noise explains
    bool known_start = false;  // `start` is exact
    int modes = 5;             // of the cosine modes of the start's error, along each side of the grid
    int max_iterations = 20;
    std::function<bool(const FitProgress&)> on_progress;  // false: stop
};

struct FitResult {
    ClothParameters parameters;
    physics::ClothState start;   // with the modes that were found
    Eigen::MatrixXd covariance;  // 10×10, of the parameters
    double distance = 0;         // [m] root mean square left, as of single frames
    double kinds_differ = 0;   // χ² with 4 degrees of freedom that the springs of all kinds are alike; law Young only
    double kinds_explain = 0;  // part of the squares left that springs of different kinds would explain; likewise
    double kinds_change = 0;   // by how much of itself a stiffness or damping would change then; likewise
    int iterations = 0;
    bool converged = false;
    bool stopped = false;
    long frames = 0;  // compared
};

// Σ |recorded − simulated|² [m²]; infinite where the simulation leaves the finite numbers.
double squared_distance(const KnownCloth& cloth, const MotionRecording& recording, long first,
                        const physics::ClothState& start, const ClothParameters& parameters);

// Fits from `guess`. `first`: the frame to begin with.
FitResult fit_trajectory(const KnownCloth& cloth, const MotionRecording& recording, long first,
                         const physics::ClothState& start, SpringLaw law, const ClothParameters& guess,
                         const FitSettings& settings);

}  // namespace tulle::methods
