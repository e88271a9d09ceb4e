// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/model_card.h"
#include "tulle/training/load_data.h"
#include "tulle/training/recipe.h"
#include "tulle/training/trainer.h"

#include <filesystem>
#include <map>
#include <string>

namespace tulle::training {

struct TrainRecipeSettings {
    bool resume = false;
    bool only_calibrate = false;        // fit the coarse cloth anew and keep the networks of the weights file
    std::string command;                // for the model card
    std::filesystem::path work;         // for checkpoints and logs; empty: beside the weights
    double checkpoint_interval = 60;    // [s]
    OnRecipeProgress on_progress = {};  // false stops; what is done is kept
};

struct [[nodiscard]] TrainRecipeReport {
    methods::ModelCard card;
    std::filesystem::path weights;              // empty if it was stopped or diverged: no file was written
    std::map<std::string, FitResult> networks;  // by name
    bool stopped = false;
    std::string diverged;  // which networks, and how; empty: none
};

// Follows a recipe from sequences (made if they are missing) through calibration and training to a weights file with
// its model card, and measures it on sequences that neither training nor its choices saw. A network that diverges ends
// it, and an older weights file stays.
TrainRecipeReport train_recipe(const Recipe& recipe, const TrainRecipeSettings& settings);

}  // namespace tulle::training
