// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/frame_cost.h"
#include "tulle/projections/make_projection.h"
#include "tulle/projections/stretch.h"
#include "tulle/workflows/animation.h"
#include "tulle/workflows/simulate.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct ProjectSettings {
    AnimationSource source;
    std::filesystem::path cache;  // to write
    projections::ProjectionSettings projection;
    std::optional<std::vector<int>> fixed;                    // vertices; none: the pins of the cache's scene
    std::function<bool(const FrameProgress&)> on_frame = {};  // after every frame; false stops, properly
};

struct ProjectReport {
    std::string projection;
    int particles = 0;
    long fixed = 0;                           // vertices that stayed
    long frames = 0;                          // written
    FrameCost cost;                           // without reading and writing
    double iterations = 0;                    // median
    double gap = 0, violation = 0;            // worst of all frames, of inextensibility
    double gradient = 0;                      // worst, of quasistatics
    double pin_stretch = 1;                   // largest factor that pins raised the limits by
    projections::StretchRange before, after;  // worst edges of all frames
    std::vector<long> unsolved;               // frames that are not within tolerance
    std::string problem;                      // of the first of them
    bool stopped = false;                     // by on_frame
};

// Projects an animation frame by frame into a cache, with the colliders of the source; every frame starts from the one
// before. Throws an Error if the source cannot be read or nothing says what to fix.
ProjectReport project(const ProjectSettings& settings);

}  // namespace tulle::workflows
