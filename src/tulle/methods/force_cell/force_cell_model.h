// SPDX-License-Identifier: Apache-2.0
// A weights file of the force cell. Tensors, in double precision: scales, linear, nonlinear, derivative (12 each, by
// channel) and bias (3). The family's part of its card:
//
//   {"activation": "isru", "softening": 1e-16, "time_step": 3.125e-4, "gravity": [0, -9.8, 0],
//    "springs": {"stiffness": [6 numbers], "rest_lengths": […], "damping": […]}}
//
// One of larger steps (large_step.h) has besides: "large_step": {"steps": 8, "time_step": 2.5e-3}, and the tensors
// all_ways and across.
#pragma once

#include "tulle/methods/force_cell/cell_material.h"
#include "tulle/methods/force_cell/large_step.h"
#include "tulle/methods/model_card.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tulle::methods {

// What it was taught, besides what its tensors say.
struct ForceCellCard {
    CellActivation activation = CellActivation::Isru;
    double softening = 0;  // [m²]
    double time_step = 0;  // [s] of the physics that it was taught
    TaughtMaterial material;
    std::optional<LargeStep> large_step;  // none: it takes the small steps of physics
};

std::string to_json(const ForceCellCard& card);
// The polynomials of larger steps are tensors, and missing here.
ForceCellCard parse_force_cell_card(const ModelCard& card, const std::string& source);

struct ForceCellModel {
    std::string source;  // for messages
    ModelCard card;
    ForceCellCard part;  // the family's part of the card, which it replaces when the model is saved
    ForceCell cell;
};

// Throws an Error that names the file unless it is a sound force cell.
ForceCellModel load_force_cell(const std::filesystem::path& file);
void save_force_cell(const std::filesystem::path& file, const ForceCellModel& model);

}  // namespace tulle::methods
