// SPDX-License-Identifier: Apache-2.0
// Stiffness, damping, drag and gravity of a cloth from its recorded positions.
#pragma once

#include "tulle/methods/force_cell/identification/cloth_parameters.h"
#include "tulle/methods/force_cell/identification/force_regression.h"
#include "tulle/methods/force_cell/identification/motion_recording.h"
#include "tulle/methods/force_cell/identification/trajectory_fit.h"
#include "tulle/physics/cloth_state.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::methods {

struct IdentificationSettings {
    std::optional<SpringLaw> law;              // none: one Young's modulus unless the motion speaks against it
    std::optional<physics::ClothState> start;  // the exact state at the first frame; none: read from the recording
    int start_modes = 6;                       // cosine modes of the start's error along each side of the grid
    std::function<bool(const FitProgress&)> on_progress;  // false: stop
};

struct IdentifiedValue {
    double value = 0;
    double error = 0;       // one standard deviation
    bool is_shown = false;  // whether the motion shows it: the error is below half of what would matter
};

struct IdentificationReport {
    ClothParameters parameters;
    std::array<IdentifiedValue, parameter_count> values;  // in the order of to_vector
    SpringLaw law = SpringLaw::ByKind;
    bool stiffness_per_length = false;
    physics::SolverSettings solver;  // that the recording was compared with
    Reading reading = Reading::StartOfStep;
    double start_residual = 0,
           end_residual = 0;           // [1] accelerations unexplained with forces of the start or end of a step
    double noise = 0;                  // [m] of the positions, from high differences in time
    int reach = 0;                     // [frames] to both sides, of the smoothing for the start
    double distance = 0;               // [m] root mean square between recording and simulation
    double stretching = 0;             // [1] how much more springs change length than noise explains
    double kinds_differ = 0;           // χ² with 4 degrees of freedom; where Young's law was tried
    long first_frame = 0, frames = 0;  // where the comparison begins, and how many are compared
    int iterations = 0;
    bool converged = false;
    bool stopped = false;
    std::vector<std::string> warnings;
};

// Throws an Error where the cloth is no grid of springs, where it stands still, and where there are too few frames.
IdentificationReport identify(const KnownCloth& cloth, const MotionRecording& recording,
                              const IdentificationSettings& settings);

}  // namespace tulle::methods
