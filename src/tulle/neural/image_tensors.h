// SPDX-License-Identifier: Apache-2.0
// An image network in a weights file. Tensors: input_mean and input_scale (inputs), dense.weight
// ((channels·height·width)×inputs), dense.bias, layer0.weight (inputs×outputs×4×4), layer0.bias, layer1.weight, …
#pragma once

#include "tulle/neural/image_network.h"
#include "tulle/neural/tensor_taker.h"

namespace tulle::neural {

// A network whose image has this many pixels, which the tensors alone do not tell. Throws an Error that names `source`
// unless it is sound.
ImageNetwork take_image_network(TensorTaker& taker, int height, int width, const std::string& source);

void add_tensors(const ImageNetwork& network, WeightsFile& file);

}  // namespace tulle::neural
