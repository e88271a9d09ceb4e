// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/methods/force_cell/identification/identification.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tulle::workflows {

struct IdentifySettings {
    std::filesystem::path source;           // a cache of a grid cloth
    std::filesystem::path scene;            // that it was made of; empty: what the cache says
    std::filesystem::path output;           // a scene to write; empty: none
    std::string method;                     // to compare with; empty: what the cache says
    std::optional<methods::SpringLaw> law;  // none: what the motion shows
    long first_frame = 0;
    long frames = 400;            // at most
    bool start_of_scene = false;  // begin with the scene's own start instead of reading it from the frames
    double noise = 0;             // to add to every coordinate of every frame, as a part of the spacing
    std::uint64_t seed = 1;       // of that noise
    std::function<bool(const methods::FitProgress&)> on_progress = {};  // false stops, and nothing is written
};

struct IdentifyReport {
    methods::IdentificationReport found;
    std::string method;            // that the recording was compared with
    double spacing = 0;            // [m] between neighbours
    bool masses_are_known = true;  // else each particle counts as 1 kg, and stiffness and damping are per mass
};

// What identify wrote earlier it may replace; scenes that people wrote it keeps.
inline constexpr FileFormat identified_format{"a scene that tulle identify wrote", "# Identified by `tulle identify "};

// Reads positions only. Masses, pins, wind, pressure, colliders, the method and its steps are what the scene says;
// without a scene every particle has 1 kg, what never moves is pinned, and nothing but gravity and drag acts.
IdentifyReport identify(const IdentifySettings& settings);

// The scene with what was found in place of its own stiffness, damping, drag and gravity; error bars as comments.
std::string identified_scene(const IdentifyReport& report, const IdentifySettings& settings);

}  // namespace tulle::workflows
