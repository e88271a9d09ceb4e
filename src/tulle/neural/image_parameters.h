// SPDX-License-Identifier: Apache-2.0
// What is learnt of an image network as one vector: weights and bias of the dense layer, then of each convolution, each
// in the order of ImageNetwork.
#pragma once

#include "tulle/neural/image_network.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tulle::neural {

struct ImageNetworkSizes {
    int inputs = 0;
    std::vector<int> channels = {128, 64, 32, 6};  // of the dense layer's image, then of each twice as large one
    int first_height = 8, first_width = 8;         // [pixels]
};

// Random weights that keep the scale of what goes through them, but answers near zero; no bias, inputs taken as they
// are.
ImageNetwork random_image_network(const ImageNetworkSizes& sizes, std::uint64_t seed);

ImageNetworkSizes sizes_of(const ImageNetwork& network);
long parameter_count(const ImageNetwork& network);
std::vector<float> parameters_of(const ImageNetwork& network);
// As many as parameter_count.
void set_parameters(std::span<const float> parameters, ImageNetwork& network);

}  // namespace tulle::neural
