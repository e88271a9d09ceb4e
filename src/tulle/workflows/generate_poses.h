// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/scene.h"
#include "tulle/workflows/drape_pose.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>

namespace tulle::workflows {

struct GeneratePosesSettings {
    std::filesystem::path scene;   // file
    std::filesystem::path folder;  // for the examples: 0000.h5, 0001.h5, … (io/draped_pose.h)
    scene::Overrides overrides = {};
    int poses = 1000;
    std::uint64_t seed = 1;  // example i of a seed is the same whatever `poses` is
    double within = 1;       // share of the joints' limits that angles are drawn in
    int jobs = 0;            // examples that are made at once, each on one thread; 0: one for every core
    DrapeSettings drape = {};
    // After every example, from one thread at a time; false stops, and the same call goes on there later.
    std::function<bool(long done, long total)> on_pose = {};
};

struct GeneratePosesReport {
    int poses = 0;                      // in the folder
    long made = 0;                      // by this call
    std::map<DrapeFault, long> redone;  // examples of this call that were not sound, and were made again
    double mean_steps = 0;              // of those that were sound
    double worst_mean_speed = 0;        // [m/s] of all in the folder
    double longest_edge = 0;            // in rest lengths, likewise
    bool stopped = false;
};

// Draws poses of the body within the limits of its joints and brings the garment of the scene to rest on each. An
// example that is not sound is made again with smaller steps, and then in another pose; none is kept that is not. What
// is finished stays, and several processes may work on one folder. Throws an Error if the body's joints have no limits,
// or if the folder holds examples of another scene, seed or share of the limits.
GeneratePosesReport generate_poses(const GeneratePosesSettings& settings);

}  // namespace tulle::workflows
