// SPDX-License-Identifier: Apache-2.0
// A weights file of the hierarchy or the miniature method, with its model card understood.
#pragma once

#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/features.h"
#include "tulle/methods/scaling.h"
#include "tulle/methods/upscaler.h"
#include "tulle/neural/weights_file.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tulle::methods {

struct ModelCard {
    std::string method;  // "miniature" or "hierarchy"
    std::string scene;   // it was trained on, or "general"
    int factor = 2;      // for the hierarchy 2 to the number of levels
    Features features = Features::Local;
    Scaling scaling = Scaling::Calibrated;
    Calibration calibration;
    geometry::GridSize grid{0, 0};  // fine grid it was trained on; zeros: several, or a mesh
    std::vector<int> layers;        // sizes, 48, 64, 64, 64, 27
    neural::Activation activation = neural::Activation::Relu;
    std::string data;     // in words: sequences, frames, pairs
    std::string command;  // that made the file
    std::string date;     // of training
    double training_minutes = 0;
    std::map<std::string, double> test_error;  // on sequences it never saw; distances in metres
};

std::string to_json(const ModelCard& card);
ModelCard parse_card(const std::string& json, const std::string& source);

struct TrainedModel {
    std::string source;  // for messages
    ModelCard card;
    std::map<std::string, neural::Network> networks;  // miniature: "patch"; hierarchy: "level.1", "level.2", …
};

TrainedModel load_trained_model(const std::filesystem::path& file);
void save_trained_model(const std::filesystem::path& file, const TrainedModel& model);

// What a model is to be used for.
struct Use {
    std::string method;
    std::string scene;
    int factor = 2;
    geometry::GridSize grid{0, 0};  // of the fine cloth; zeros: a mesh
};

// Throws an Error that says why the model does not fit. One with the paper's absolute features fits its own scene and
// grid only.
void check_fits(const TrainedModel& model, const Use& use);

std::unique_ptr<Upscaler> make_patch_upscaler(const TrainedModel& model, const geometry::Miniature& miniature,
                                              const Positions& fine_rest, double frame_time);

// A hierarchy of more levels than the model has goes on with its last network; only local features allow that.
std::unique_ptr<Upscaler> make_hierarchy_upscaler(const TrainedModel& model, const geometry::Hierarchy& hierarchy,
                                                  const Positions& finest_rest);

}  // namespace tulle::methods
