// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/fused_image_network.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cassert>

namespace tulle::neural {

namespace {

// With the normalisation of the inputs multiplied in; in double precision, because means may cancel in the bias.
std::vector<float> pack_dense(const ImageNetwork& network) {
    const Eigen::MatrixXd weights =
        network.dense.weights.cast<double>() * network.input_scale.cast<double>().cwiseInverse().asDiagonal();
    const Eigen::VectorXd bias = network.dense.bias.cast<double>() - weights * network.input_mean.cast<double>();
    const long outputs = weights.rows(), inputs = weights.cols(), eights = (outputs + 7) / 8;
    std::vector<float> packed(static_cast<size_t>(eights * 8 * (inputs + 1)), 0.0f);
    for (long o = 0; o < outputs; ++o) {
        float* group = packed.data() + o / 8 * 8 * (inputs + 1) + o % 8;
        group[0] = static_cast<float>(bias(o));
        for (long i = 0; i < inputs; ++i) group[8 * (i + 1)] = static_cast<float>(weights(o, i));
    }
    return packed;
}

// Of the four weights in a row or a column of a kernel: which one a pixel meets at an output of this parity, and which
// one its neighbour does. Output 2y gets 1 from y and 3 from y − 1; output 2y + 1 gets 2 from y and 0 from y + 1.
int weight_of(int parity, bool is_neighbour) { return is_neighbour ? 3 - 3 * parity : 1 + parity; }

void pack_group(const TransposedConvolution& layer, int first, int count, float* to) {
    constexpr int kernel = TransposedConvolution::kernel;
    for (int o = first; o < first + count; ++o) *to++ = layer.bias(o);
    for (int parity = 0; parity < 4; ++parity)
        for (int i = 0; i < layer.inputs; ++i)
            for (int tap = 0; tap < image_taps; ++tap) {
                const int r = weight_of(parity / 2, tap / 2 == 1), s = weight_of(parity % 2, tap % 2 == 1);
                for (int o = first; o < first + count; ++o)
                    *to++ = layer.weights[static_cast<size_t>(
                        ((static_cast<long>(i) * layer.outputs + o) * kernel + r) * kernel + s)];
            }
}

long padded_floats(const PaddedImage& image, int channels) { return channels * image.channel_size; }

}  // namespace

FusedImageNetwork::FusedImageNetwork(const ImageNetwork& network, const ImageKernels& kernels)
    : kernels_(kernels), input_size_(network.input_size()), dense_(pack_dense(network)) {
    size_t floats = 0;
    for (const TransposedConvolution& layer : network.layers) floats += layer.weights.size() + layer.bias.size();
    convolutions_ = std::make_unique<float[]>(floats);
    float* next = convolutions_.get();
    int height = network.first_height, width = network.first_width;
    for (const TransposedConvolution& layer : network.layers) {
        layers_.push_back({next, layer.inputs, layer.outputs, PaddedImage::of(height, width)});
        for (int first = 0; first < layer.outputs; first += image_group) {
            const int count = std::min(image_group, layer.outputs - first);
            pack_group(layer, first, count, next);
            next += layers_.back().group_floats(count);
        }
        height *= 2;
        width *= 2;
    }
}

std::vector<float> FusedImageNetwork::first_image(std::span<const float> input) const {
    const long eights = static_cast<long>(dense_.size()) / (8 * (input_size_ + 1));
    std::vector<float> flat(static_cast<size_t>(8 * eights));
    parallel_ranges(eights, [&](long begin, long end) {
        kernels_.dense(dense_.data(), input_size_, input.data(), flat.data(), begin, end);
    });
    const PaddedImage& image = layers_.front().from;
    std::vector<float> padded(static_cast<size_t>(padded_floats(image, layers_.front().inputs)), 0.0f);
    const float* next = flat.data();
    for (int c = 0; c < layers_.front().inputs; ++c)
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                padded[static_cast<size_t>(image.place(c, y, x))] = std::max(*next++, 0.0f);
    return padded;
}

void FusedImageNetwork::evaluate(std::span<const float> input, std::span<float> image) const {
    assert(static_cast<int>(input.size()) == input_size_ && static_cast<long>(image.size()) == output_size());
    std::vector<float> current = first_image(input), next;
    for (size_t k = 0; k < layers_.size(); ++k) {
        const PackedConvolution& layer = layers_[k];
        ImageTarget target{image.data(), width(), static_cast<long>(height()) * width(), /*is_last=*/true};
        if (k + 1 < layers_.size()) {
            const PaddedImage& padded = layers_[k + 1].from;
            next.assign(static_cast<size_t>(padded_floats(padded, layer.outputs)), 0.0f);
            target = {next.data() + padded.place(0, 0, 0), padded.stride, padded.channel_size, /*is_last=*/false};
        }
        parallel_ranges(
            layer.tasks(), [&](long begin, long end) { kernels_.convolve(layer, current.data(), target, begin, end); },
            /*grain=*/2);
        std::swap(current, next);
    }
}

}  // namespace tulle::neural
