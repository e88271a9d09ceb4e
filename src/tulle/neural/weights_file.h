// SPDX-License-Identifier: Apache-2.0
// A weights file holds the tensors of one trained model, of any names and shapes, and its model card, in the
// safetensors format:
//
//   u64 little-endian N, N bytes of JSON, then the bytes of all tensors without gaps. The JSON maps a tensor's name to
//   {"dtype": "F32" or "F64", "shape": […], "data_offsets": [begin, end]}; "__metadata__" maps texts to texts.
//
// Ours has in __metadata__: format = "tulle-model", version = "2", card = the model card (a JSON object as text).
// Version 1, which is still read, kept dense networks only. What the tensors mean is for their reader to say: see
// network_tensors.h for dense networks.
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/neural/safetensors.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace tulle::neural {

struct WeightsFile {
    std::string source;  // its path, for messages
    std::string card;    // a JSON object as text
    std::map<std::string, Tensor> tensors;
};

// Throws an Error that names the file for anything unsound: bad offsets, overlaps, gaps, huge headers, unknown types,
// NaNs, no card.
WeightsFile read_weights(const std::filesystem::path& path);
WeightsFile parse_weights(std::span<const std::byte> bytes, const std::string& source);

inline constexpr FileFormat weights_format{"a weights file (safetensors)", "{\"", 8};

// Under a temporary name first; replaces an older file. `source` is not used.
void write_weights(const std::filesystem::path& path, const WeightsFile& file);

}  // namespace tulle::neural
