// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/renderer.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace tulle::workflows {

struct RenderRequest {
    std::vector<std::filesystem::path> caches;                 // drawn side by side; films are as long as the shortest
    std::filesystem::path output;                              // .png: one frame; .mp4: all of them
    std::optional<long> frame = {};                            // of a picture; none: the last
    render::RenderSettings look = {};                          // its up axis is taken from the caches
    std::function<bool(long done, long total)> on_frame = {};  // after every frame drawn; false stops
};

struct RenderReport {
    long frames = 0;
    double frames_per_second = 0;  // drawn, reading and encoding included
    bool stopped = false;          // by on_frame; then nothing is written
};

// Throws an Error unless the picture or film can be written; its folder is made, and what killed runs have left there
// is removed. For those who draw after a long run.
void prepare_picture(const std::filesystem::path& output);

// Draws sequence caches as a picture or a film. Throws an Error if a frame is outside of a cache, the caches do not go
// together, or the output cannot be written, and render::Stopped if the look wants to stop; then nothing is left under
// its name.
RenderReport render_caches(const RenderRequest& request);

}  // namespace tulle::workflows
