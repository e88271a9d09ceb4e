// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/workflows/simulate.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::workflows {

const std::vector<std::string>& garment_names();  // "t-shirt", "skirt"

struct GarmentSettings {
    std::string name = "t-shirt";
    std::filesystem::path folder = ".";  // NAME-pattern.obj, its rest shape, and NAME.obj, which lies on the mannequin
    double spacing = 0.0183;             // [m] of its vertices
    std::string fabric = "cotton";
    double stretch = 1200;  // [N/m] in place of the fabric's: knitted, not woven
    int most_steps = 2000;
    double restful_speed = 1e-5;                             // [m/s] it lies still when its vertices have this mean
    std::function<bool(const FrameProgress&)> on_step = {};  // false stops the run
};

struct GarmentReport {
    int vertices = 0;
    long edges = 0;
    long steps = 0;
    double speed = 0, mean_speed = 0;  // [m/s] of the fastest vertex at the end, and over all of them
    double longest = 0;                // of an edge, in rest lengths
    long crossings = 0;                // of the cloth with itself
    long cuts = 0;                     // triangles that cut the body's surface
    bool stopped = false;
};

// Sews a garment of ours, puts it on the mannequin as it rests, lets it come to rest there (methods/garment/
// resting_garment.h), and writes both shapes. Throws an Error if there is no such garment.
GarmentReport make_garment(const GarmentSettings& settings);

}  // namespace tulle::workflows
