// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/methods/upscaling/scaling.h"
#include "tulle/scene/families/upscaling/coarsen.h"

#include <functional>
#include <vector>

namespace tulle::scene {

using Sequences = std::vector<const datasets::Sequence*>;

struct CalibrateSettings {
    CoarseningLaw law;     // factor; its calibration is where the search starts
    double seconds = 1.5;  // [s] of each sequence: a flag is chaotic, and later says nothing
    int evaluations = 100;
    std::function<bool(int done, int total)> on_evaluation = {};  // false stops with the best so far
};

struct CalibrateReport {
    methods::Calibration calibration;
    double error_before = 0;  // [m] mean distance of the coarse vertices to the full simulation: by similarity alone
    double error_after = 0;   // [m] calibrated, over the same sequences
    int evaluations = 0;
};

// Mean distance [m] between the coarse cloth simulated by itself and the full simulation at its vertices, each sequence
// on one thread.
double coarse_error(const Sequences& sequences, const CalibrateSettings& settings,
                    const methods::Calibration& calibration);

// Fits multipliers of the coarse cloth to sequences of the full one.
CalibrateReport calibrate(const Sequences& sequences, const CalibrateSettings& settings);

}  // namespace tulle::scene
