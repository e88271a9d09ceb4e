// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/network.h"
#include "tulle/neural/network_kernel.h"

#include <vector>

namespace tulle::neural {

// A network in the order in which the kernels read it, its normalisation folded into the layers.
class PackedWeights {
public:
    explicit PackedWeights(const Network& network);
    PackedWeights(const PackedWeights&) = delete;
    PackedWeights& operator=(const PackedWeights&) = delete;

    int input_size() const { return layers_.front().inputs; }
    int output_size() const { return layers_.back().outputs; }
    size_t scratch_floats() const { return scratch_tiles * static_cast<size_t>(widest_) * tile_samples; }
    long multiplications() const { return static_cast<long>(floats_.size()); }  // of one sample, about
    PackedNetwork view() const { return {layers_.data(), layers_.data() + layers_.size(), widest_, negative_slope_}; }

private:
    std::vector<float> floats_;
    std::vector<PackedLayer> layers_;
    int widest_ = 0;
    float negative_slope_ = 0;
};

}  // namespace tulle::neural
