// SPDX-License-Identifier: Apache-2.0
// A small network from a few numbers to an image, as a value: a dense layer makes a coarse image of many channels, and
// transposed convolutions double its size one after the other. It knows neither bodies nor cloth.
#pragma once

#include "tulle/neural/network.h"

#include <span>
#include <string>
#include <vector>

namespace tulle::neural {

// Doubles an image: kernel 4, stride 2, padding 1. A pixel (y, x) of the input adds its value times weight (r, s) to
// pixel (2y − 1 + r, 2x − 1 + s) of the output. The order of the weights is that of libtorch.
struct TransposedConvolution {
    static constexpr int kernel = 4;

    int inputs = 0, outputs = 0;  // channels
    std::vector<float> weights;   // inputs×outputs×4×4
    Eigen::VectorXf bias;         // outputs
};

// (x − input_mean) / input_scale, the dense layer, then before each convolution max(x, 0); nothing after the last.
struct ImageNetwork {
    Eigen::VectorXf input_mean, input_scale;  // inputs
    DenseLayer dense;                         // (channels·first_height·first_width)×inputs
    int first_height = 8, first_width = 8;    // [pixels] of the dense layer's image
    std::vector<TransposedConvolution> layers;

    int input_size() const { return static_cast<int>(dense.weights.cols()); }
    int channels() const { return layers.back().outputs; }  // of the image
    int height() const { return first_height << layers.size(); }
    int width() const { return first_width << layers.size(); }
    long output_size() const { return static_cast<long>(channels()) * height() * width(); }
};

// Throws an Error that names `source` unless there is a convolution, sizes fit each other, and every number is finite
// (and every scale not zero).
void check(const ImageNetwork& network, const std::string& source);

// An image, channels×height×width, from input_size numbers: written to be read, the definition of correct.
void evaluate_reference(const ImageNetwork& network, std::span<const float> input, std::span<float> image);

}  // namespace tulle::neural
