// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/frame_cost.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/workflows/animation.h"
#include "tulle/workflows/simulate.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tulle::workflows {

struct UpscaleSettings {
    AnimationSource source;        // a coarse cloth from any simulator; its `rest` is the mesh of a point cache
    std::filesystem::path output;  // a cache (.h5), or a file or folder that io::export_format_of knows
    std::string method;            // empty: miniature for a grid, hierarchy for any other mesh
    int factor = 2;
    std::filesystem::path weights;  // empty: those of a cache's scene, or else the general ones
    std::function<bool(const FrameProgress&)> on_frame = {};  // after every frame; false stops, properly
    std::function<bool(double done)> on_export = {};          // while a finished result is written; false stops
};

struct UpscaleReport {
    std::string method;
    std::string weights;  // the file; empty: interpolation
    int coarse_particles = 0, particles = 0;
    std::optional<geometry::GridSize> grid;  // of the coarse cloth; none: it is no grid
    long frames = 0;                         // written
    double frame_rate = 0;                   // [1/s]
    FrameNumbers frame_numbers;              // of the result
    FrameCost cost;                          // without reading and writing
    Counters counters;                       // summed; see physics::StepReport
    bool stopped = false;                    // by on_frame
};

// Makes a coarse animation fine, frame by frame, into a cache with the colliders of the source, or by way of a cache
// into another file; ClothToUpscale says how its vertices are numbered. Point caches and OBJ files are written with
// the up axis that they are read with. The fine rest shape of a grid is interpolated linearly from the coarse one, that
// of a mesh is its subdivision. A stopped run leaves a cache of the frames so far, but no other file. Throws an Error
// if the source is no cloth that the method can take, if its points are not in the order that was said, or there are no
// weights.
UpscaleReport upscale(const UpscaleSettings& settings);

}  // namespace tulle::workflows
