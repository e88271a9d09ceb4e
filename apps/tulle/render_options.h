// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/workflows/render_caches.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tulle::app {

// How pictures look, as options that several commands have.
struct RenderOptions {
    std::string color = "plain";
    std::string pattern = "stripes";
    std::string size = "1280x720";
    bool draft = false;
    std::vector<double> eye, target;  // [m]; empty: chosen

    void add_to(CLI::App& command);
    render::RenderSettings settings() const;  // throws an Error if the size is no size
};

// Draws with a progress bar; Ctrl-C stops it, and then nothing is written.
workflows::RenderReport render_with_progress(workflows::RenderRequest request);

}  // namespace tulle::app
