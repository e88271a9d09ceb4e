// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/methods/trained_model.h"
#include "tulle/training/recipe.h"
#include "tulle/training/trainer.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::training {

struct RecipeProgress {
    std::string stage;    // "generating", "reading", "calibrating", "training patch", …
    double fraction = 0;  // of the stage
    std::string figures;  // loss and validation error, in words; empty outside training
};

struct TrainRecipeSettings {
    bool resume = false;
    bool only_calibrate = false;  // fit the coarse cloth anew and keep the networks of the weights file
    std::string command;          // for the model card
    std::filesystem::path work;   // for checkpoints and logs; empty: beside the weights
    std::function<bool(const RecipeProgress&)> on_progress = {};  // false stops; what is done is kept
};

struct [[nodiscard]] TrainRecipeReport {
    methods::ModelCard card;
    std::filesystem::path weights;                // empty if it was stopped
    std::map<std::string, TrainResult> networks;  // by name
    bool stopped = false;
    std::string message;  // what went wrong, if training diverged
};

// Follows a recipe from sequences (made if they are missing) through calibration and training to a weights file with
// its model card, and measures it on sequences that neither training nor its choices saw.
TrainRecipeReport train_recipe(const Recipe& recipe, const TrainRecipeSettings& settings);

// All sequences of a recipe's sources, and which of them are for what: each source is split by itself.
struct RecipeData {
    std::vector<datasets::Sequence> sequences;
    datasets::Split split;
};
RecipeData load_data(const Recipe& recipe, const std::function<bool(const RecipeProgress&)>& on_progress);

// Teacher-forced errors on the test sequences: of the model, and where there is a grid of bicubic interpolation [m].
std::map<std::string, double> test_errors(const methods::TrainedModel& model, const RecipeData& data);

}  // namespace tulle::training
