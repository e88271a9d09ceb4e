// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/workflows/simulate.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct DemoSettings {
    std::filesystem::path scene = "scenes/flag.toml";
    std::filesystem::path folder = "out";
    int frames = 100;
    // Before `method` runs, to show how far the demo is; false from the inner function stops it.
    std::function<std::function<bool(const FrameProgress&)>(const std::string& method)> on_method = {};
};

struct DemoRow {
    std::string method;
    int particles = 0;
    double ms_per_frame = 0;                // median
    double mean_distance = 0;               // [m] to the converged reference, over all particles and frames
    double mean_distance_first_second = 0;  // [m] the same over the first second, before chaos takes over
    double to_full_first_second = 0;        // [m] to the full simulation, admm, over the first second
    bool learned = false;                   // simulates a coarser cloth and upscales it
    std::filesystem::path cache;
};

// Simulates a scene with every solver and then with both learned methods into folder/<scene>-<method>.h5; `newton`,
// which minimises every step, is the converged reference. Caches that are newer than the program are taken as they are.
std::vector<DemoRow> demo(const DemoSettings& settings);

}  // namespace tulle::workflows
