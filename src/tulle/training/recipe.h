// SPDX-License-Identifier: Apache-2.0
// A recipe: everything that makes one weights file, in TOML. docs/training.md lists the keys.
#pragma once

#include "tulle/methods/features.h"
#include "tulle/methods/scaling.h"
#include "tulle/scene/scene.h"
#include "tulle/training/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::training {

// Sequences to learn from: a folder, and how to fill it if it is not there.
struct DataSource {
    std::filesystem::path folder;
    std::filesystem::path scene;
    std::filesystem::path sweep;
};

struct Recipe {
    std::string source;  // the file, for messages
    std::string method;  // "miniature" or "hierarchy"
    std::string name;    // of what it is for: a scene, or "general"
    int factor = 2;
    methods::Features features = methods::Features::Local;
    methods::Scaling scaling = methods::Scaling::Calibrated;
    std::vector<DataSource> data;
    std::filesystem::path output;  // the weights file
    int calibration_sequences = 4;
    int calibration_evaluations = 100;
    double calibration_seconds = 1.5;  // [s]
    TrainerSettings training;
};

// Overrides as for scenes, such as features='paper'.
Recipe load_recipe(const std::filesystem::path& path, const scene::Overrides& overrides = {});

}  // namespace tulle::training
