// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/fabric.h"
#include "tulle/render/ground.h"
#include "tulle/render/surface.h"

#include <optional>
#include <vector>

namespace tulle::render {

struct TracerQuality {
    int first_samples = 4;    // of every pixel that things may cover
    int samples = 16;         // of pixels that differ from their neighbours, or within themselves
    float contrast = 0.035f;  // by at least this much of full brightness
};

// Everything one picture is made from. References only: it lives as long as the tracing of one frame.
struct TracedScene {
    const Camera& camera;
    const Light& light;
    const RayCaster& caster;
    const std::vector<Surface>& surfaces;  // numbered as in the caster
    const Ground* ground;                  // null: none
    const Fabric& fabric;
    const HeatMap& heat_map;
};

// Part of a picture, in pixels.
struct Viewport {
    int x = 0;
    int y = 0;
    ImageSize size;
};

// Traces one panel into its part of the picture. The same bits at any thread count.
void trace(const TracedScene& scene, const TracerQuality& quality, const Viewport& viewport, Image& image);

}  // namespace tulle::render
