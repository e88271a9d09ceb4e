// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/packed_weights.h"

#include <algorithm>

namespace tulle::neural {

namespace {

// Four outputs at a time keep the units busiest, three nearly so; one or two leave them waiting for their own sums.
PackedLayer group_outputs(int inputs, int outputs) {
    PackedLayer layer{nullptr, inputs, outputs, 0, 0, 0};
    layer.threes = std::min((4 - outputs % 4) % 4, outputs / 3);
    layer.fours = (outputs - 3 * layer.threes) / 4;
    layer.rest = outputs - 3 * layer.threes - 4 * layer.fours;
    return layer;
}

void pack_group(const DenseLayer& layer, int first, int count, std::vector<float>& floats) {
    for (int o = first; o < first + count; ++o) floats.push_back(layer.bias(o));
    for (int i = 0; i < layer.weights.cols(); ++i)
        for (int o = first; o < first + count; ++o) floats.push_back(layer.weights(o, i));
}

}  // namespace

PackedWeights::PackedWeights(const Network& network)
    : negative_slope_(network.activation == Activation::LeakyRelu ? 0.01f : 0.0f) {
    const Network folded = fold_normalisation(network);
    std::vector<size_t> starts;
    for (const DenseLayer& dense : folded.layers) {
        PackedLayer layer =
            group_outputs(static_cast<int>(dense.weights.cols()), static_cast<int>(dense.weights.rows()));
        starts.push_back(floats_.size());
        int output = 0;
        const auto pack = [&](int groups, int size) {
            for (int k = 0; k < groups; ++k, output += size) pack_group(dense, output, size, floats_);
        };
        pack(layer.fours, 4);
        pack(layer.threes, 3);
        pack(1, layer.rest);
        widest_ = std::max({widest_, layer.inputs, layer.outputs});
        layers_.push_back(layer);
    }
    for (size_t k = 0; k < layers_.size(); ++k) layers_[k].groups = floats_.data() + starts[k];
}

}  // namespace tulle::neural
