// SPDX-License-Identifier: Apache-2.0
// What generators share: folders of numbered files that several threads, and several processes, fill together.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tulle::workflows {

std::filesystem::path numbered_file(const std::filesystem::path& folder, int index);  // 0000.h5

// Lets `work` make a file, unless it is there or another process makes it. Whether it is there then.
bool make_once(const std::filesystem::path& file, const std::function<void()>& work);

// Whether two scenes are the same but for the path by which they were read, which their first line tells.
bool is_same_scene(const std::string& text, const std::string& other);

// work(i) for every i, each on one thread, `jobs` of them at once; 0: one for every core.
void for_each_job(int count, int jobs, const std::function<void(int)>& work);

}  // namespace tulle::workflows
