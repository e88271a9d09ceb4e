// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/character_basis.h"
#include "tulle/neural/network.h"
#include "tulle/neural/network_kernel.h"

#include <vector>

namespace tulle::neural {

// A network in the order in which the kernels read it, its normalisation folded into the layers.
class PackedWeights {
public:
    explicit PackedWeights(const Network& network);
    // Throws an Error unless the network has the symmetry.
    PackedWeights(const Network& network, const Symmetry& symmetry);
    PackedWeights(const PackedWeights&) = delete;
    PackedWeights& operator=(const PackedWeights&) = delete;

    int input_size() const { return input_size_; }
    int output_size() const { return output_size_; }
    size_t scratch_floats() const { return scratch_tiles * static_cast<size_t>(widest_) * tile_samples; }
    long multiplications() const { return static_cast<long>(floats_.size()); }  // of one sample, about
    PackedNetwork view() const;

private:
    void add_layer(const DenseLayer& layer);
    void point_to_floats();

    std::vector<float> floats_;
    std::vector<size_t> starts_;  // of each layer among them
    std::vector<PackedLayer> layers_;
    int input_size_, output_size_, widest_;
    float negative_slope_;
    int characters_ = 1;
    std::vector<Butterfly> input_butterflies_, output_butterflies_;
};

}  // namespace tulle::neural
