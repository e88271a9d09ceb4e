// SPDX-License-Identifier: Apache-2.0
#include "tulle/datasets/draped_example.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::datasets {

namespace fs = std::filesystem;

DrapedExample read_draped_example(const fs::path& file) {
    return {.name = file.filename().string(), .drape = io::read_draped_pose(file), .scene_folder = {}};
}

std::vector<fs::path> draped_files(const fs::path& folder) {
    std::vector<fs::path> files;
    if (fs::is_directory(folder))
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".h5") files.push_back(entry.path());
    if (files.empty())
        throw Error("there are no draped poses in '{}'; make some with `tulle generate SCENE --poses N -o {}`",
                    folder.string(), folder.string());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tulle::datasets
