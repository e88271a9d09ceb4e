// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/random.h"
#include "tulle/neural/image_network.h"

#include <cmath>
#include <vector>

namespace tulle::neural::test {

struct ImageSizes {
    int inputs = 90;
    int first_height = 8, first_width = 8;
    std::vector<int> channels = {128, 64, 32, 6};  // of each image, from the dense layer's on
};

inline ImageNetwork random_image_network(const ImageSizes& sizes, std::uint64_t seed = 1) {
    Random random(seed);
    const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
    const auto numbers = [&](long count, double low, double high) {
        return Eigen::VectorXf(Eigen::VectorXf::NullaryExpr(count, [&] { return number(low, high); }));
    };
    ImageNetwork network;
    network.first_height = sizes.first_height;
    network.first_width = sizes.first_width;
    network.input_mean = numbers(sizes.inputs, -1, 1);
    network.input_scale = numbers(sizes.inputs, 0.5, 2);
    const long first = static_cast<long>(sizes.channels.front()) * sizes.first_height * sizes.first_width;
    const double size = 1.7 / std::sqrt(sizes.inputs);
    network.dense = {Weights::NullaryExpr(first, sizes.inputs, [&] { return number(-size, size); }),
                     numbers(first, -0.5, 0.5)};
    for (size_t k = 0; k + 1 < sizes.channels.size(); ++k) {
        TransposedConvolution layer{
            .inputs = sizes.channels[k], .outputs = sizes.channels[k + 1], .weights = {}, .bias = {}};
        const double bound = 1.2 / std::sqrt(layer.inputs);  // four weights of each channel reach a pixel
        layer.weights.resize(static_cast<size_t>(16) * static_cast<size_t>(layer.inputs * layer.outputs));
        for (float& weight : layer.weights) weight = number(-bound, bound);
        layer.bias = numbers(layer.outputs, -0.5, 0.5);
        network.layers.push_back(std::move(layer));
    }
    return network;
}

}  // namespace tulle::neural::test
