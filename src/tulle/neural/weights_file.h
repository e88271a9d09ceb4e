// SPDX-License-Identifier: Apache-2.0
// A weights file holds the networks of one trained model and its model card, in the safetensors format:
//
//   u64 little-endian N, N bytes of JSON, then the bytes of all tensors without gaps. The JSON maps a tensor's name to
//   {"dtype": "F32", "shape": […], "data_offsets": [begin, end]}; "__metadata__" maps texts to texts.
//
// Ours has in __metadata__: format = "tulle-model", version = "1", card = the model card (a JSON object as text).
// Tensors of a network "level.1": level.1.layers.0.weight (outputs×inputs), level.1.layers.0.bias, …,
// level.1.input_mean, level.1.input_scale, level.1.output_mean, level.1.output_scale. Its activation is in the card,
// under "activation".
#pragma once

#include "tulle/neural/network.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace tulle::neural {

struct Model {
    std::string card;  // a JSON object as text
    std::map<std::string, Network> networks;
};

// Throws an Error that names the file for anything unsound: bad offsets, overlaps, gaps, huge headers, unknown types,
// shapes that do not fit, NaNs, missing tensors.
Model read_model(const std::filesystem::path& path);
Model parse_model(std::span<const std::byte> bytes, const std::string& source);

// Under a temporary name first; replaces an older file.
void write_model(const std::filesystem::path& path, const Model& model);

}  // namespace tulle::neural
