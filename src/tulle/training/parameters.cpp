// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/parameters.h"

#include "tulle/core/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::training {

long parameter_count(std::span<const int> sizes) {
    long count = 0;
    for (size_t layer = 0; layer + 1 < sizes.size(); ++layer) count += sizes[layer + 1] * (sizes[layer] + 1L);
    return count;
}

std::vector<float> initial_parameters(std::span<const int> sizes, const TrainerSettings& settings) {
    std::vector<float> parameters(static_cast<size_t>(parameter_count(sizes)), 0.0f);
    Random random(settings.seed);
    float* next = parameters.data();
    for (size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
        const bool last = layer + 2 == sizes.size();
        // Uniform with variance 2/inputs [He et al. 2015] keeps the size of signals through rectifiers; no rectifier
        // follows the last layer, which may start smaller.
        const double bound = std::sqrt((last ? 1.0 : 6.0) / sizes[layer]);
        const long weights = static_cast<long>(sizes[layer]) * sizes[layer + 1];
        if (!(last && settings.zero_last_layer))
            std::generate_n(next, weights, [&] { return static_cast<float>(random.uniform(-bound, bound)); });
        next += weights + sizes[layer + 1];
    }
    return parameters;
}

std::vector<float> parameters_of(const neural::Network& network) {
    std::vector<float> parameters;
    for (const neural::DenseLayer& layer : network.layers) {
        parameters.insert(parameters.end(), layer.weights.data(), layer.weights.data() + layer.weights.size());
        parameters.insert(parameters.end(), layer.bias.data(), layer.bias.data() + layer.bias.size());
    }
    return parameters;
}

neural::Network make_network(std::span<const int> sizes, std::span<const float> parameters,
                             neural::Activation activation, const neural::Normalisation& normalisation) {
    assert(static_cast<long>(parameters.size()) == parameter_count(sizes));
    neural::Network network{.layers = {}, .activation = activation, .normalisation = normalisation};
    const float* next = parameters.data();
    for (size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
        neural::DenseLayer dense;
        dense.weights = Eigen::Map<const neural::Weights>(next, sizes[layer + 1], sizes[layer]);
        next += dense.weights.size();
        dense.bias = Eigen::Map<const Eigen::VectorXf>(next, sizes[layer + 1]);
        next += dense.bias.size();
        network.layers.push_back(std::move(dense));
    }
    return network;
}

}  // namespace tulle::training
