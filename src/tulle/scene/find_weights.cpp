// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/find_weights.h"

#include "tulle/core/error.h"

#include <fmt/format.h>

#include <cstdlib>

namespace tulle::scene {

namespace fs = std::filesystem;

std::vector<fs::path> model_folders(const fs::path& scene_folder) {
    std::vector<fs::path> folders;
    if (const char* named = std::getenv("TULLE_MODELS")) folders.emplace_back(named);
    const fs::path beside = (scene_folder / ".." / "models").lexically_normal();
    folders.push_back(beside);
    if (beside != "models") folders.emplace_back("models");
    return folders;
}

fs::path find_weights(const fs::path& scene_folder, const std::vector<std::string>& names, const std::string& purpose) {
    const std::vector<fs::path> folders = model_folders(scene_folder);
    for (const std::string& name : names)
        for (const fs::path& folder : folders)
            if (fs::exists(folder / name)) return folder / name;
    std::string looked_in;
    for (const fs::path& folder : folders) looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
    throw Error(
        "there are no weights {} ({} is in none of {}); train some with `tulle train`, or name a file with --weights",
        purpose, names.front(), looked_in);
}

}  // namespace tulle::scene
