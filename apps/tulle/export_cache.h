// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tulle::app {

// Exports a cache with a progress bar and says where it went; an empty output is the usual place beside the cache.
void export_with_progress(const std::filesystem::path& cache, const std::string& format, std::filesystem::path output);

}  // namespace tulle::app
