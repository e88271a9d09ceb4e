// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/packed_weights.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>
#include <tuple>

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

int widest(const Network& network) {
    const std::vector<int> sizes = network.sizes();
    return *std::max_element(sizes.begin(), sizes.end());
}

DenseLayer in_coefficients(const DenseLayer& layer, const CharacterBasis& below, const CharacterBasis& above) {
    DenseLayer result{.weights = to_coefficients(layer.weights, below, above), .bias = layer.bias};
    above.to_coefficients(layer.bias.data(), result.bias.data());
    return result;
}

DenseLayer block_of(const DenseLayer& layer, const CharacterBasis& below, const CharacterBasis& above, size_t k) {
    const int row = above.begins[k], rows = above.begins[k + 1] - row;
    const int column = below.begins[k], columns = below.begins[k + 1] - column;
    return {.weights = layer.weights.block(row, column, rows, columns), .bias = layer.bias.segment(row, rows)};
}

// One over the root of the size of each slot's butterfly.
Eigen::VectorXf scales_of(const CharacterBasis& basis) {
    Eigen::VectorXf scales(basis.width());
    for (const Butterfly& b : basis.butterflies)
        for (int k = 0; k < b.size; ++k) scales(b.slots[k]) = 1 / std::sqrt(static_cast<float>(b.size));
    return scales;
}

void require_symmetry(const Network& network, const Symmetry& symmetry) {
    for (const auto& [actions, size, what] : {std::tuple{&symmetry.inputs, network.input_size(), "inputs"},
                                              {&symmetry.outputs, network.output_size(), "outputs"}})
        if (static_cast<int>(actions->front().from.size()) != size)
            throw Error("a network with {} {} cannot have a symmetry of {}", size, what, actions->front().from.size());
    std::vector<SignedPermutation> below = symmetry.inputs;
    for (const DenseLayer& layer : network.layers) {
        const bool is_last = &layer == &network.layers.back();
        const auto above = is_last ? symmetry.outputs : hidden_actions(symmetry, static_cast<int>(layer.bias.size()));
        Weights weights = layer.weights;
        make_symmetric(find_orbits(below, above), {weights.data(), static_cast<size_t>(weights.size())});
        constexpr float rounding = 1e-4f;
        if (!((weights - layer.weights).norm() <= rounding * layer.weights.norm()))
            throw Error("the network has not the symmetry that its features have");
        below = above;
    }
}

}  // namespace

PackedWeights::PackedWeights(const Network& network)
    : input_size_(network.input_size()),
      output_size_(network.output_size()),
      widest_(widest(network)),
      negative_slope_(network.activation == Activation::LeakyRelu ? 0.01f : 0.0f) {
    for (const DenseLayer& layer : fold_normalisation(network).layers) add_layer(layer);
    point_to_floats();
}

PackedWeights::PackedWeights(const Network& network, const Symmetry& symmetry)
    : input_size_(network.input_size()),
      output_size_(network.output_size()),
      widest_(widest(network)),
      negative_slope_(network.activation == Activation::LeakyRelu ? 0.01f : 0.0f) {
    const Network folded = fold_normalisation(network);
    require_symmetry(folded, symmetry);
    const std::vector<CharacterBasis> bases = character_bases(symmetry, folded.sizes());
    characters_ = bases.front().characters();
    // The kernel's butterflies only add and subtract; their scales are here.
    Eigen::VectorXf scales = scales_of(bases.front());
    for (size_t l = 0; l < folded.layers.size(); ++l) {
        DenseLayer layer = in_coefficients(folded.layers[l], bases[l], bases[l + 1]);
        layer.weights = layer.weights * scales.asDiagonal();
        if (l + 1 == folded.layers.size()) {
            const Eigen::VectorXf outer = scales_of(bases.back());
            layer.weights = outer.asDiagonal() * layer.weights;
            layer.bias = outer.cwiseProduct(layer.bias);
        }
        for (size_t k = 0; k < static_cast<size_t>(characters_); ++k)
            add_layer(block_of(layer, bases[l], bases[l + 1], k));
        // To numbers and back again; a rectifier lets a positive factor through.
        scales = scales_of(bases[l + 1]).cwiseAbs2();
    }
    input_butterflies_ = bases.front().butterflies;
    output_butterflies_ = bases.back().butterflies;
    point_to_floats();
}

void PackedWeights::add_layer(const DenseLayer& layer) {
    PackedLayer packed = group_outputs(static_cast<int>(layer.weights.cols()), static_cast<int>(layer.weights.rows()));
    starts_.push_back(floats_.size());
    int output = 0;
    const auto pack = [&](int groups, int size) {
        for (int k = 0; k < groups; ++k, output += size) pack_group(layer, output, size, floats_);
    };
    pack(packed.fours, 4);
    pack(packed.threes, 3);
    pack(1, packed.rest);
    layers_.push_back(packed);
}

void PackedWeights::point_to_floats() {
    for (size_t k = 0; k < layers_.size(); ++k) layers_[k].groups = floats_.data() + starts_[k];
}

PackedNetwork PackedWeights::view() const {
    const auto end = [](const auto& all) { return all.data() + all.size(); };
    return {layers_.data(),
            end(layers_),
            input_size_,
            output_size_,
            widest_,
            negative_slope_,
            characters_,
            input_butterflies_.data(),
            end(input_butterflies_),
            output_butterflies_.data(),
            end(output_butterflies_)};
}

}  // namespace tulle::neural
