// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/find_weights.h"

#include "tulle/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tulle::scene {

namespace fs = std::filesystem;

namespace {

// Where the running program is; empty if the system does not tell.
fs::path program_folder() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

}  // namespace

std::vector<fs::path> model_folders(const fs::path& scene_folder) {
    std::vector<fs::path> folders;
    const auto add = [&](const fs::path& folder) {
        const fs::path normal = folder.lexically_normal();
        if (std::find(folders.begin(), folders.end(), normal) == folders.end()) folders.push_back(normal);
    };
    if (const char* named = std::getenv("TULLE_MODELS")) folders.emplace_back(named);
    add(scene_folder / ".." / "models");
    add("models");
    if (const fs::path program = program_folder(); !program.empty()) {
        add(program / ".." / "share" / "tulle" / "models");
        add(program / "models");
        add(program / ".." / "models");
    }
    return folders;
}

fs::path find_weights(const fs::path& scene_folder, const std::vector<std::string>& names, const std::string& purpose,
                      const std::string& advice) {
    const std::vector<fs::path> folders = model_folders(scene_folder);
    for (const std::string& name : names)
        for (const fs::path& folder : folders)
            if (fs::exists(folder / name)) return folder / name;
    std::string looked_in;
    for (const fs::path& folder : folders) looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
    throw Error(
        "there are no weights {} ({} is in none of {}); {}train some with `tulle train`, or name a file with --weights",
        purpose, names.front(), looked_in, advice.empty() ? "" : advice + ", ");
}

}  // namespace tulle::scene
