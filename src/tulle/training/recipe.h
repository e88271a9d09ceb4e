// SPDX-License-Identifier: Apache-2.0
// A recipe: everything that makes one weights file, in TOML. docs/training.md lists the keys.
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/scene/families/course.h"
#include "tulle/scene/scene.h"
#include "tulle/training/settings.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::training {

// Sequences or draped poses to learn from: a folder, and how to fill it if it is not there.
struct DataSource {
    std::filesystem::path folder;
    std::filesystem::path scene;
    std::filesystem::path sweep;         // empty: one sequence, the scene as it is
    std::optional<datasets::Part> part;  // all of it is for this; none: it is split
    int developable = 0;                 // not a folder, but so many sequences of smooth developable surfaces
    bool irregular = false;              // those surfaces are of irregular triangle meshes, not of grids
    int poses = 0;                       // draped poses to make; 0: take what is there
    double within = 1;                   // share of the joints' limits that those are drawn in
    int examples = 0;                    // draped poses to train on; 0: all that are for training
};

struct Recipe {
    std::string source;  // the file, for messages
    std::string method;  // one that can be trained
    std::string name;    // of what it is for: a scene, or "general"
    std::unique_ptr<scene::Course> course;
    std::vector<DataSource> data;
    std::filesystem::path output;  // the weights file
    TrainerSettings training;
};

// Overrides as for scenes, such as features='paper'.
Recipe load_recipe(const std::filesystem::path& path, const scene::Overrides& overrides = {});

}  // namespace tulle::training
