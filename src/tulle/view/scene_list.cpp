// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/scene_list.h"

#include <algorithm>
#include <fstream>

namespace tulle::view {

namespace {

// Without loading the scene, which may read large meshes.
std::string description_of(const std::filesystem::path& file) {
    constexpr std::string_view key = "description = \"";
    constexpr int first_lines = 30;
    std::ifstream stream(file);
    std::string line;
    for (int i = 0; i < first_lines && std::getline(stream, line); ++i)
        if (line.starts_with(key)) return line.substr(key.size(), line.find('"', key.size()) - key.size());
    return {};
}

}  // namespace

std::vector<ListedScene> list_scenes(const std::filesystem::path& folder) {
    std::vector<ListedScene> scenes;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
        if (entry.path().extension() == ".toml" && entry.is_regular_file(failed))
            scenes.push_back({entry.path().stem().string(), description_of(entry.path()), entry.path()});
    std::sort(scenes.begin(), scenes.end(), [](const ListedScene& a, const ListedScene& b) { return a.name < b.name; });
    return scenes;
}

}  // namespace tulle::view
