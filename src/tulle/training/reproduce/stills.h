// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::training {

// One panel of a picture: the last frame of a cache.
struct Still {
    std::filesystem::path cache;
    std::string title;
    int step = 1;  // of a grid, only every so many rows and columns: a coarser level, or the miniature itself
};

// How large a panel is [px].
struct PanelSize {
    int width = 640, height = 420;
};

// Draws them side by side; the camera is the same for all. `folder`: for files that it needs in between.
void draw_stills(const std::vector<Still>& stills, const PanelSize& size, bool is_draft,
                 const std::filesystem::path& folder, const std::filesystem::path& picture);

}  // namespace tulle::training
