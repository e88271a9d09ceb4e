// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/progress_bar.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

namespace tulle::app {

struct ExportOptions {
    std::string format;            // empty: what the name of the output promises
    std::filesystem::path output;  // empty: the usual place beside the cache
    std::string up = "y";          // of OBJ files and point caches
    bool quantise = false;
    ProgressStyle progress = ProgressStyle::Text;
};

// Exports a cache with a progress bar and says where it went.
void export_with_progress(const std::filesystem::path& cache, const ExportOptions& options);

// --up, which several commands have.
void add_up_option(CLI::App& command, std::string& up, const std::string& of);

}  // namespace tulle::app
