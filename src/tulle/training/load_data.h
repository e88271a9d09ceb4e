// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/training/recipe.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tulle::training {

struct RecipeProgress {
    std::string stage;    // "generating", "reading", "calibrating", "training patch", …
    double fraction = 0;  // of the stage
    std::string figures;  // loss and validation error, in words; empty outside training
};
using OnRecipeProgress = std::function<bool(const RecipeProgress&)>;  // false stops

// All sequences or draped poses of the sources, made on all cores where they are missing. Each source is split by
// itself; draped poses without regard to the seed.
datasets::TrainingData load_data(const std::vector<DataSource>& sources, scene::Examples examples, std::uint64_t seed,
                                 const OnRecipeProgress& on_progress);

}  // namespace tulle::training
