// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/draped_pose.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::datasets {

// A garment at rest on a posed body, in memory, to learn from.
struct DrapedExample {
    std::string name;  // its file's
    io::DrapedPose drape;
    std::filesystem::path scene_folder;  // what file names in its scene are relative to; set by whoever knows
};

DrapedExample read_draped_example(const std::filesystem::path& file);

// All draped poses of a folder, in the order of their names. Throws an Error if there are none.
std::vector<std::filesystem::path> draped_files(const std::filesystem::path& folder);

}  // namespace tulle::datasets
