// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/scene.h"
#include "tulle/scene/sweep.h"

#include <filesystem>
#include <functional>

namespace tulle::workflows {

struct GenerateSettings {
    std::filesystem::path scene;   // file
    std::filesystem::path folder;  // for the sequences: 0000.h5, 0001.h5, …
    scene::Overrides overrides;    // for all of them
    int jobs = 1;                  // sequences that are simulated at once, each on one thread; 0: one for every core
    // After every frame, from one thread at a time; false stops, and the same call goes on there later.
    std::function<bool(long done, long total)> on_frame = {};
};

struct GenerateReport {
    int sequences = 0;  // finished, all of them or those before it was stopped
    long frames = 0;    // in them, the first of each not counted
    long made = 0;      // sequences made by this call
    long diverged = 0;  // sequences left shorter because the simulation left the finite numbers
    bool stopped = false;
};

// Simulates a scene once for every sequence of a sweep; their bits do not depend on `jobs`. Finished sequences are
// kept, an interrupted one goes on where it stopped, and several processes may work on the same folder at once: each
// takes what no other has claimed. Throws an Error if the folder holds sequences of another sweep.
GenerateReport generate(const scene::Sweep& sweep, const GenerateSettings& settings);

}  // namespace tulle::workflows
