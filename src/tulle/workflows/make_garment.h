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
    double spacing = 0.0175;             // [m] of its vertices
    std::string fabric = "cotton";
    int most_frames = 120;                                    // of 1/30 s
    double restful_speed = 0.02;                              // [m/s] it lies still when no vertex is faster
    std::function<bool(const FrameProgress&)> on_frame = {};  // false stops the run
};

struct GarmentReport {
    int vertices = 0;
    long edges = 0;
    long frames = 0;
    double speed = 0;    // [m/s] of the fastest vertex at the end
    double longest = 0;  // of an edge, in rest lengths
    long crossings = 0;  // of the cloth with itself
    long cuts = 0;       // triangles that cut the body's surface
    bool stopped = false;
};

// Sews a garment of ours, puts it on the mannequin as it rests, simulates it (admm, contact with the body and with
// itself, strong drag) until it lies still, and writes both shapes. Throws an Error if there is no such garment.
GarmentReport make_garment(const GarmentSettings& settings);

}  // namespace tulle::workflows
