// SPDX-License-Identifier: Apache-2.0
// Dense networks in a weights file. Tensors of a network "level.1": level.1.layers.0.weight (outputs×inputs),
// level.1.layers.0.bias, …, level.1.input_mean, level.1.input_scale, level.1.output_mean, level.1.output_scale. The
// activation, the same for all networks of a file, is in the card, under "activation".
#pragma once

#include "tulle/neural/network.h"
#include "tulle/neural/weights_file.h"

#include <map>
#include <string>

namespace tulle::neural {

struct Model {
    std::string card;  // a JSON object as text
    std::map<std::string, Network> networks;
};

// Throw an Error that names the file for whatever is unsound: besides what weights_file.h says, tensors that are
// missing or belong to no network, shapes that do not fit each other, an unknown activation.
Model model_of(WeightsFile file);
Model read_model(const std::filesystem::path& path);
Model parse_model(std::span<const std::byte> bytes, const std::string& source);

// Throws an Error unless there is a network, all share one activation, and all are sound.
void write_model(const std::filesystem::path& path, const Model& model);

}  // namespace tulle::neural
