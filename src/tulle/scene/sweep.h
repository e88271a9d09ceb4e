// SPDX-License-Identifier: Apache-2.0
// A sweep: which settings of a scene vary from sequence to sequence, and how.
//
//   sequences = 20                 # how many
//   frames = 60                    # of each
//   seed = 1
//   [[vary]]
//   keys = ["cloth.stretch.stiffness", "cloth.shear.stiffness"]   # the same draw for all of them
//   min = 60
//   max = 160
//   scale = "log"                  # or "linear"; vectors vary number by number: min = [4, -3, 0]
//   [[vary]]
//   keys = ["cloth.rows", "cloth.columns"]
//   choices = [[49, 73], [33, 49]]  # one of these, in turn
#pragma once

#include "tulle/scene/scene.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tulle::scene {

struct Variation {
    std::vector<std::string> keys;
    std::vector<double> min, max;  // one number, or the numbers of a vector
    bool is_vector = false;
    bool logarithmic = false;
    std::vector<std::vector<double>> choices;  // instead of a range: a value for each key
};

struct Sweep {
    int sequences = 10;
    int frames = 100;
    std::uint64_t seed = 1;
    std::string method;  // which is the truth to learn from; empty: the scene's
    std::vector<Variation> variations;
    bool own_seeds = true;  // each sequence has a seed of its own
};

// The scene itself, once.
Sweep single_sequence(const Scene& scene);

Sweep load_sweep(const std::filesystem::path& path);

// What sequence `index` of the sweep sets; every sequence has its own seed.
Overrides draw(const Sweep& sweep, int index);

}  // namespace tulle::scene
