// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/model_card.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tulle::workflows {

// What a weights file of any family holds.
struct WeightsSummary {
    std::string path;
    methods::ModelCard card;
    std::map<std::string, std::vector<std::int64_t>> tensors;  // their shapes
    std::string problem;  // with the family's part of the card, or that the method is unknown; empty: none
};

// Throws an Error if the file cannot be read at all.
WeightsSummary describe_weights(const std::filesystem::path& path);

std::string to_text(const WeightsSummary& summary);  // lines for a person
std::string to_json(const WeightsSummary& summary);  // the card, with "tensors" and "sound"

}  // namespace tulle::workflows
