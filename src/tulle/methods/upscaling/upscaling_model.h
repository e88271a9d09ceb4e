// SPDX-License-Identifier: Apache-2.0
// A weights file of the hierarchy or the miniature method, with its model card understood.
#pragma once

#include "tulle/methods/upscaling/upscaling_card.h"
#include "tulle/neural/network.h"

#include <filesystem>
#include <map>
#include <string>

namespace tulle::methods {

struct UpscalingModel {
    std::string source;  // for messages
    ModelCard card;
    UpscalingCard part;  // the family's part of the card, which it replaces when the model is saved
    std::map<std::string, neural::Network> networks;  // miniature: "patch"; hierarchy: "level.1", "level.2", …
};

UpscalingModel load_upscaling_model(const std::filesystem::path& file);
void save_upscaling_model(const std::filesystem::path& file, const UpscalingModel& model);

// What a model is to be used for.
struct Use {
    std::string method;
    std::string scene;
    int factor = 2;
    geometry::GridSize grid{0, 0};  // of the fine cloth; zeros: a mesh
    bool any_factor = false;        // local features do for other factors than the one it was trained for
};

// Throws an Error that says why the model does not fit. One with the paper's absolute features fits its own scene and
// grid only.
void check_fits(const UpscalingModel& model, const Use& use);

// Throws an Error if the model has none of that name.
const neural::Network& network_of(const UpscalingModel& model, const std::string& name);

}  // namespace tulle::methods
