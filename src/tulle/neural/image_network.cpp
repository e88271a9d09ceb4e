// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_network.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::neural {

namespace {

constexpr int largest_image = 4096;  // [pixels] to a side

void check_input(const ImageNetwork& network, const std::string& source) {
    const long inputs = network.input_size();
    if (network.input_mean.size() != inputs || network.input_scale.size() != inputs)
        throw Error("{}: the network has {} inputs, but {} means and {} scales; they must be as many", source, inputs,
                    network.input_mean.size(), network.input_scale.size());
    if (!network.input_mean.allFinite() || !network.input_scale.allFinite() || (network.input_scale.array() == 0).any())
        throw Error("{}: a mean or a scale of the inputs is not finite, or a scale is zero; train the network again",
                    source);
}

void check_dense(const ImageNetwork& network, const std::string& source) {
    const DenseLayer& dense = network.dense;
    const long wanted = static_cast<long>(network.layers.front().inputs) * network.first_height * network.first_width;
    if (dense.weights.cols() < 1 || dense.weights.rows() != wanted || dense.bias.size() != wanted)
        throw Error("{}: the dense layer has {} outputs and {} biases where {} channels of {}×{} pixels need {}",
                    source, dense.weights.rows(), dense.bias.size(), network.layers.front().inputs,
                    network.first_height, network.first_width, wanted);
    if (!dense.weights.allFinite() || !dense.bias.allFinite())
        throw Error("{}: the dense layer has a weight that is not a finite number; train the network again", source);
}

void check_convolution(const TransposedConvolution& layer, size_t index, const std::string& source) {
    constexpr long kernel = TransposedConvolution::kernel;
    if (layer.inputs < 1 || layer.outputs < 1 || layer.bias.size() != layer.outputs ||
        static_cast<long>(layer.weights.size()) != kernel * kernel * layer.inputs * layer.outputs)
        throw Error("{}: layer {} has {} weights and {} biases, which do not fit {} and {} channels", source, index,
                    layer.weights.size(), layer.bias.size(), layer.inputs, layer.outputs);
    if (!layer.bias.allFinite() || !std::ranges::all_of(layer.weights, [](float w) { return std::isfinite(w); }))
        throw Error("{}: layer {} has a weight that is not a finite number; train the network again", source, index);
}

using Image = std::vector<float>;  // channels×height×width

Image convolve(const TransposedConvolution& layer, const Image& input, int height, int width) {
    constexpr int kernel = TransposedConvolution::kernel;
    Image output(static_cast<size_t>(4) * layer.outputs * height * width);
    for (int o = 0; o < layer.outputs; ++o) {
        float* channel = output.data() + 4L * o * height * width;
        std::fill_n(channel, 4 * height * width, layer.bias(o));
        for (int i = 0; i < layer.inputs; ++i) {
            const float* weights = layer.weights.data() + (static_cast<long>(i) * layer.outputs + o) * kernel * kernel;
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    const float value = input[static_cast<size_t>((static_cast<long>(i) * height + y) * width + x)];
                    for (int r = 0; r < kernel; ++r)
                        for (int s = 0; s < kernel; ++s) {
                            const int row = 2 * y - 1 + r, column = 2 * x - 1 + s;
                            if (row < 0 || row >= 2 * height || column < 0 || column >= 2 * width) continue;
                            channel[row * 2 * width + column] += value * weights[r * kernel + s];
                        }
                }
        }
    }
    return output;
}

}  // namespace

void check(const ImageNetwork& network, const std::string& source) {
    if (network.layers.empty()) throw Error("{}: the network has no convolution; train it again", source);
    if (network.first_height < 1 || network.first_width < 1 || network.layers.size() > 10 ||
        network.height() > largest_image || network.width() > largest_image)
        throw Error("{}: its image is not between 2 and {} pixels to a side", source, largest_image);
    for (size_t k = 0; k < network.layers.size(); ++k) {
        check_convolution(network.layers[k], k, source);
        if (k > 0 && network.layers[k].inputs != network.layers[k - 1].outputs)
            throw Error("{}: layer {} has {} channels of input but layer {} gives {}; they must be as many", source, k,
                        network.layers[k].inputs, k - 1, network.layers[k - 1].outputs);
    }
    check_dense(network, source);
    check_input(network, source);
}

void evaluate_reference(const ImageNetwork& network, std::span<const float> input, std::span<float> image) {
    assert(static_cast<int>(input.size()) == network.input_size());
    assert(static_cast<long>(image.size()) == network.output_size());
    const Eigen::Map<const Eigen::VectorXf> given(input.data(), network.input_size());
    const Eigen::VectorXf x = (given - network.input_mean).cwiseQuotient(network.input_scale);
    const Eigen::VectorXf first = network.dense.weights * x + network.dense.bias;
    Image current(first.begin(), first.end());
    int height = network.first_height, width = network.first_width;
    for (const TransposedConvolution& layer : network.layers) {
        for (float& value : current) value = std::max(value, 0.0f);
        current = convolve(layer, current, height, width);
        height *= 2;
        width *= 2;
    }
    std::ranges::copy(current, image.begin());
}

}  // namespace tulle::neural
