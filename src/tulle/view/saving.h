// SPDX-License-Identifier: Apache-2.0
// What a page asks to be kept, on the disk of the server.
#pragma once

#include "tulle/live/inputs.h"
#include "tulle/view/panel.h"

#include <filesystem>
#include <functional>
#include <string>

namespace tulle::view {

struct Saved {
    std::filesystem::path path;
    std::string note;  // what can be done with it; may be empty
};

// FOLDER/flag-admm.h5, or flag-admm-2.h5 if that is taken, and so on. Letters that do not belong in names become '-'.
std::filesystem::path free_path(const std::filesystem::path& folder, const std::string& name,
                                const std::string& ending);

// All throw an Error if nothing can be written. `wants_stop` is asked between frames; then nothing is left.
Saved save_cache(const live::Recording& recording, const std::filesystem::path& folder, const std::string& name,
                 const std::function<bool()>& wants_stop);
Saved save_gltf(const live::Recording& recording, const std::filesystem::path& folder, const std::string& name,
                const std::function<bool()>& wants_stop);
Saved save_gltf(const std::filesystem::path& cache, const std::filesystem::path& folder, const std::string& name);
Saved save_picture(const Snapshot& snapshot, const SaveMessage& wish, bool is_y_up, const std::filesystem::path& folder,
                   const std::string& name);

}  // namespace tulle::view
