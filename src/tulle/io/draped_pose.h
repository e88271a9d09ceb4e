// SPDX-License-Identifier: Apache-2.0
// A garment at rest on a posed body: one example to learn from. A file of it (HDF5):
//
//   /positions |V|×3 f32 [m]   /angles |J|×3 f64 [rad], by which each joint bends, spreads and twists
//   attributes: format = "tulle-drape", version = 2, scene = the TOML text of the scene with the body at rest, joints =
//   their names with a space between them, seed of the pose, attempts, mean_speed [m/s], longest_edge.
//
// A reader rejects an unknown version, shapes that do not fit, and a value that is not finite.
#pragma once

#include "tulle/body/keyframes.h"
#include "tulle/core/arrays.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tulle::io {

struct DrapedPose {
    std::string scene;                      // TOML
    std::uint64_t seed = 0;                 // of the pose
    std::vector<body::NamedAngles> angles;  // of the joints that were drawn
    Rows<float, 3> positions;               // |V|×3 [m]
    int attempts = 1;                       // the last of which is this one
    double mean_speed = 0;                  // [m/s] over its vertices, when it was taken to rest
    double longest_edge = 0;                // in rest lengths
};

void write_draped_pose(const std::filesystem::path& path, const DrapedPose& pose);
// Throws an Error that names the file.
DrapedPose read_draped_pose(const std::filesystem::path& path);

}  // namespace tulle::io
