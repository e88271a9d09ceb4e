// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/frame_cost.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/workflows/simulate.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tulle::workflows {

struct UpscaleSettings {
    std::filesystem::path source;  // a cache (.h5) or a point cache (.pc2) of a coarse cloth, from any simulator
    std::filesystem::path cache;   // to write
    std::string method;            // empty: miniature for a grid, hierarchy for a mesh
    int factor = 2;
    std::filesystem::path weights;           // empty: those of the cache's scene, or else the general ones
    std::optional<geometry::GridSize> grid;  // of a point cache, which does not say
    std::optional<double> frame_rate;        // [1/s] likewise; none: 25
    std::function<bool(const FrameProgress&)> on_frame = {};  // after every frame; false stops, properly
};

struct UpscaleReport {
    std::string method;
    std::string weights;  // the file; empty: interpolation
    int coarse_particles = 0, particles = 0;
    long frames = 0;       // written
    FrameCost cost;        // without reading and writing
    Counters counters;     // summed; see physics::StepReport
    bool stopped = false;  // by on_frame
};

// Makes a coarse animation fine, frame by frame, into a cache with the colliders of the source. The fine rest shape of
// a grid is interpolated linearly from the coarse one (of a point cache its first frame), that of a mesh is its
// subdivision. Throws an Error if the source is no grid or mesh that the method can take, or there are no weights.
UpscaleReport upscale(const UpscaleSettings& settings);

}  // namespace tulle::workflows
