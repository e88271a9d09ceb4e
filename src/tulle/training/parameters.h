// SPDX-License-Identifier: Apache-2.0
// The numbers that are learned, as one vector, so that an optimiser needs one loop:
// weights (outputs×inputs, row-major) and bias of the first layer, then of the second, ….
#pragma once

#include "tulle/neural/network.h"
#include "tulle/training/settings.h"

#include <span>
#include <vector>

namespace tulle::training {

long parameter_count(std::span<const int> sizes);  // sizes: 36, 64, 64, 64, 27

std::vector<float> initial_parameters(std::span<const int> sizes, const TrainerSettings& settings);

std::vector<float> parameters_of(const neural::Network& network);

neural::Network make_network(std::span<const int> sizes, std::span<const float> parameters,
                             neural::Activation activation, const neural::Normalisation& normalisation);

}  // namespace tulle::training
