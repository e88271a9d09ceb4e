// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tulle::app {

// Writes the networks of a weights file as ONNX and says where they went. One network goes to `output` (empty: beside
// the weights); of several, each goes to a file with its name inserted: model.onnx → model.level.1.onnx. A `network`
// that is named goes alone.
void export_networks(const std::filesystem::path& weights, const std::string& network, std::filesystem::path output);

}  // namespace tulle::app
