// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::scene {

// Folders where weights are looked for: $TULLE_MODELS; models/ beside the scene's folder; models/ here; and what came
// with the program, from wherever it is called: ../share/tulle/models from where it is installed, models/ beside it or
// beside the folder that it was built in.
std::vector<std::filesystem::path> model_folders(const std::filesystem::path& scene_folder);

// The first of these files that is in one of the folders. Throws an Error that says where it looked; `purpose` goes on
// after "there are no weights", `advice` says what else there is and may be empty.
std::filesystem::path find_weights(const std::filesystem::path& scene_folder, const std::vector<std::string>& names,
                                   const std::string& purpose, const std::string& advice = {});

}  // namespace tulle::scene
