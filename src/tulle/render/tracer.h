// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"
#include "tulle/render/fabric.h"
#include "tulle/render/ground.h"
#include "tulle/render/surface.h"

#include <optional>
#include <vector>

#include <functional>
#include <string>

namespace tulle::render {

// A picture was given up because somebody asked for it.
class Stopped : public Error {
public:
    Stopped() : Error(std::string("the drawing was stopped")) {}
};

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

// Traces one panel into its part of the picture. The same bits at any thread count. `wants_stop`, if there is one, is
// asked again and again from any thread; once it says yes, Stopped is thrown.
void trace(const TracedScene& scene, const TracerQuality& quality, const Viewport& viewport, Image& image,
           const std::function<bool()>& wants_stop = {});

}  // namespace tulle::render
