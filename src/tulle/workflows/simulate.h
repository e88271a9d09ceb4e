// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/counters.h"
#include "tulle/core/frame_cost.h"
#include "tulle/core/timer.h"
#include "tulle/scene/scene.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tulle::workflows {

struct FrameProgress {
    long done = 0;  // frames of the animation so far, resumed ones included
    long total = 0;
};

struct SimulateSettings {
    std::string method;                                       // "admm", "admm:5", …; empty: the scene's
    int frames = 0;                                           // after the first, which is the start; 0: the scene's
    std::filesystem::path cache;                              // empty: none is written
    bool resume = false;                                      // go on where an earlier run into the same cache stopped
    std::function<bool(const FrameProgress&)> on_frame = {};  // after every frame; false stops the run, properly
};

struct SimulateReport {
    std::string scene;
    std::string method;
    int particles = 0;
    long frames = 0;          // in the cache, the first not counted
    int steps_per_frame = 0;  // most of a frame of this run
    int threads = 0;
    FrameCost cost;                     // over the frames of this run, all steps of a frame, without the cache
    StageTimes stages;                  // medians likewise [ms]
    Counters counters;                  // summed over this run; see StepReport
    std::optional<double> error_bound;  // [m] mean of what nine of ten vertices keep, if the method says
    std::string note;                   // what a user should know of the method; empty: nothing
    std::filesystem::path cache;
    bool stopped = false;  // by on_frame
};

// Runs a scene and streams its frames into a cache. If a step leaves the finite numbers, throws an Error that says at
// which frame, which vertex, and what to change; the frames before are in the cache.
SimulateReport simulate(const scene::Scene& scene, const SimulateSettings& settings);

}  // namespace tulle::workflows
