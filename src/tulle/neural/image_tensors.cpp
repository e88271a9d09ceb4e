// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_tensors.h"

#include "tulle/core/error.h"

namespace tulle::neural {

namespace {

TransposedConvolution take_convolution(TensorTaker& taker, const std::string& name, const std::string& source) {
    Tensor weights = taker.take(name + ".weight", 4);
    constexpr int kernel = TransposedConvolution::kernel;
    if (weights.shape[2] != kernel || weights.shape[3] != kernel)
        throw Error("{}: tensor '{}.weight' is of a {}×{} kernel, not {}×{}", source, name, weights.shape[2],
                    weights.shape[3], kernel, kernel);
    // A tensor that is not empty has no more channels than numbers, of which a file has fewer than 2³¹.
    return {.inputs = static_cast<int>(weights.shape[0]),
            .outputs = static_cast<int>(weights.shape[1]),
            .weights = std::move(weights.values),
            .bias = taker.take_vector(name + ".bias")};
}

// Of the dense layer's image: `pixels` halved `times` times.
int halved(int pixels, size_t times, const std::string& source) {
    const int first = times < 31 ? pixels >> times : 0;
    if (first < 1 || first << times != pixels)
        throw Error("{}: {} convolutions do not make an image of {} pixels to a side", source, times, pixels);
    return first;
}

}  // namespace

ImageNetwork take_image_network(TensorTaker& taker, int height, int width, const std::string& source) {
    ImageNetwork network;
    network.input_mean = taker.take_vector("input_mean");
    network.input_scale = taker.take_vector("input_scale");
    network.dense = {taker.take_matrix("dense.weight"), taker.take_vector("dense.bias")};
    for (int k = 0; k == 0 || taker.has(fmt::format("layer{}.weight", k)); ++k)
        network.layers.push_back(take_convolution(taker, fmt::format("layer{}", k), source));
    network.first_height = halved(height, network.layers.size(), source);
    network.first_width = halved(width, network.layers.size(), source);
    check(network, source);
    return network;
}

void add_tensors(const ImageNetwork& network, WeightsFile& file) {
    file.tensors["input_mean"] = tensor_of(network.input_mean);
    file.tensors["input_scale"] = tensor_of(network.input_scale);
    file.tensors["dense.weight"] = tensor_of(network.dense.weights);
    file.tensors["dense.bias"] = tensor_of(network.dense.bias);
    for (size_t k = 0; k < network.layers.size(); ++k) {
        const TransposedConvolution& layer = network.layers[k];
        constexpr int kernel = TransposedConvolution::kernel;
        file.tensors[fmt::format("layer{}.weight", k)] = {{layer.inputs, layer.outputs, kernel, kernel}, layer.weights};
        file.tensors[fmt::format("layer{}.bias", k)] = tensor_of(layer.bias);
    }
}

}  // namespace tulle::neural
