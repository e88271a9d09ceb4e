// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_parameters.h"

#include "tulle/core/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::neural {

namespace {

constexpr int kernel_area = TransposedConvolution::kernel * TransposedConvolution::kernel;
constexpr int taps = kernel_area / 4;      // input pixels that reach an output pixel
constexpr double smallest_answers = 0.01;  // of the last layer, relative to a scale that it would keep

// Evenly in ±√3·deviation.
void fill(std::span<float> weights, double deviation, Random& random) {
    const double bound = std::sqrt(3.0) * deviation;
    for (float& weight : weights) weight = static_cast<float>(random.uniform(-bound, bound));
}

// Calls visit(numbers) for all that is learnt, in order.
template <typename Network, typename Visit>
void for_each_part(Network& network, const Visit& visit) {
    visit(std::span(network.dense.weights.data(), static_cast<size_t>(network.dense.weights.size())));
    visit(std::span(network.dense.bias.data(), static_cast<size_t>(network.dense.bias.size())));
    for (auto& layer : network.layers) {
        visit(std::span(layer.weights));
        visit(std::span(layer.bias.data(), static_cast<size_t>(layer.bias.size())));
    }
}

}  // namespace

ImageNetwork random_image_network(const ImageNetworkSizes& sizes, std::uint64_t seed) {
    assert(sizes.channels.size() >= 2);
    Random random(seed);
    ImageNetwork network;
    network.input_mean = Eigen::VectorXf::Zero(sizes.inputs);
    network.input_scale = Eigen::VectorXf::Ones(sizes.inputs);
    network.first_height = sizes.first_height;
    network.first_width = sizes.first_width;
    const int outputs = sizes.channels.front() * sizes.first_height * sizes.first_width;
    network.dense.weights.resize(outputs, sizes.inputs);
    network.dense.bias = Eigen::VectorXf::Zero(outputs);
    fill({network.dense.weights.data(), static_cast<size_t>(network.dense.weights.size())}, 1 / std::sqrt(sizes.inputs),
         random);
    for (size_t i = 0; i + 1 < sizes.channels.size(); ++i) {
        TransposedConvolution layer{
            .inputs = sizes.channels[i], .outputs = sizes.channels[i + 1], .weights = {}, .bias = {}};
        layer.weights.resize(static_cast<size_t>(layer.inputs) * static_cast<size_t>(layer.outputs) * kernel_area);
        layer.bias = Eigen::VectorXf::Zero(layer.outputs);
        // Half of what comes in was cut off before it [He et al. 2015].
        const bool is_last = i + 2 == sizes.channels.size();
        fill(layer.weights, (is_last ? smallest_answers : 1) * std::sqrt(2.0 / (taps * layer.inputs)), random);
        network.layers.push_back(std::move(layer));
    }
    return network;
}

ImageNetworkSizes sizes_of(const ImageNetwork& network) {
    ImageNetworkSizes sizes{.inputs = network.input_size(),
                            .channels = {network.layers.front().inputs},
                            .first_height = network.first_height,
                            .first_width = network.first_width};
    for (const TransposedConvolution& layer : network.layers) sizes.channels.push_back(layer.outputs);
    return sizes;
}

long parameter_count(const ImageNetwork& network) {
    long count = 0;
    for_each_part(network, [&](std::span<const float> part) { count += static_cast<long>(part.size()); });
    return count;
}

std::vector<float> parameters_of(const ImageNetwork& network) {
    std::vector<float> parameters;
    for_each_part(network,
                  [&](std::span<const float> part) { parameters.insert(parameters.end(), part.begin(), part.end()); });
    return parameters;
}

void set_parameters(std::span<const float> parameters, ImageNetwork& network) {
    assert(static_cast<long>(parameters.size()) == parameter_count(network));
    for_each_part(network, [&](std::span<float> part) {
        std::copy_n(parameters.begin(), part.size(), part.begin());
        parameters = parameters.subspan(part.size());
    });
}

}  // namespace tulle::neural
