// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/tracer.h"

namespace tulle::render {

// A place on a surface that the camera sees.
struct SeenPoint {
    const Surface* surface = nullptr;
    Point position;       // [m]
    Point normal;         // unit, smooth, towards the camera
    Point shadow_origin;  // [m] where its ray to the sun begins
    Color skylight;
    Color albedo;
    bool has_heat = false;  // albedo is a colour of the scale
};

struct SurfaceHit {
    const Surface* surface;
    int triangle;
    float u, v;       // barycentric weights of the second and third vertex
    float distance;   // [m] from the camera
    Point direction;  // unit, from the camera
};

SeenPoint seen_point(const TracedScene& scene, const SurfaceHit& hit);

// The light that a surface sends to the camera, if the sun is visible from it or not.
Color shade(const SeenPoint& point, const Point& direction, const Light& light, bool is_sunlit);

}  // namespace tulle::render
