// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/random.h"
#include "tulle/neural/network.h"

#include <cmath>
#include <vector>

namespace tulle::neural::test {

// A network of these sizes with weights of the usual size and a normalisation that is not the identity.
inline Network random_network(const std::vector<int>& sizes, Activation activation = Activation::Relu,
                              std::uint64_t seed = 1) {
    Random random(seed);
    const auto number = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
    Network network;
    network.activation = activation;
    for (size_t k = 0; k + 1 < sizes.size(); ++k) {
        const double size = 1.7 / std::sqrt(sizes[k]);
        network.layers.push_back({Weights::NullaryExpr(sizes[k + 1], sizes[k], [&] { return number(-size, size); }),
                                  Eigen::VectorXf::NullaryExpr(sizes[k + 1], [&] { return number(-0.5, 0.5); })});
    }
    network.normalisation = {
        Eigen::VectorXf::NullaryExpr(sizes.front(), [&] { return number(-1, 1); }),
        Eigen::VectorXf::NullaryExpr(sizes.front(), [&] { return number(0.5, 2); }),
        Eigen::VectorXf::NullaryExpr(sizes.back(), [&] { return number(-1, 1); }),
        Eigen::VectorXf::NullaryExpr(sizes.back(), [&] { return number(0.5, 2); }),
    };
    return network;
}

inline std::vector<float> random_floats(size_t count, std::uint64_t seed = 2) {
    Random random(seed);
    std::vector<float> floats(count);
    for (float& value : floats) value = static_cast<float>(random.uniform(-2, 2));
    return floats;
}

}  // namespace tulle::neural::test
