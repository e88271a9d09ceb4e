// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::view {

struct ListedScene {
    std::string name;  // of its file, without the ending
    std::string description;
    std::filesystem::path file;
};

// The scenes of a folder in the order of their names. A page names them; it never names a file.
std::vector<ListedScene> list_scenes(const std::filesystem::path& folder);

}  // namespace tulle::view
