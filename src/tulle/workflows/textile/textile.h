// SPDX-License-Identifier: Apache-2.0
// What `tulle textile` does: a fabric goes through the tests of a textile laboratory.
#pragma once

#include "tulle/workflows/textile/cantilever_test.h"
#include "tulle/workflows/textile/drape_test.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct TextileSettings {
    std::vector<std::string> fabrics;                                           // names of presets
    std::vector<double> spacings = {0.0075, 0.006, 0.005};                      // [m] of the discs, coarse to fine
    std::function<bool(const std::string& what, double seconds)> on_step = {};  // false stops
};

struct FabricReport {
    scene::FabricPreset preset;
    CantileverResult cantilever;
    std::vector<DrapeResult> drapes;  // of each spacing
};

struct TextileReport {
    std::vector<FabricReport> fabrics;
    bool stopped = false;  // by on_step; then nothing is whole
};

// Throws an Error that lists the presets if one has no such name.
TextileReport test_textiles(const TextileSettings& settings);

std::string to_table(const TextileReport& report);
std::string to_json(const TextileReport& report);
// The finest disc of each fabric from above and from the side, and its strip: drape.png, drape-side.png,
// cantilever.png. The folder must exist.
void draw_textiles(const TextileReport& report, const std::filesystem::path& folder);

}  // namespace tulle::workflows
