// SPDX-License-Identifier: Apache-2.0
// The layers of an image network. Every function exists twice, from one source (image_kernel.inl): with AVX2 and FMA,
// and for any processor.
#pragma once

namespace tulle::neural {

// Images with a border of zeros, so that a kernel may look beyond them. Channel c begins at c · channel_size, its row y
// at (y + 1) · stride + 1.
struct PaddedImage {
    int height = 0, width = 0;
    long stride = 0, channel_size = 0;

    static PaddedImage of(int height, int width) {
        const long stride = (width + 7) / 8 * 8 + 2;
        return {height, width, stride, stride * ((height + 1) / 2 * 2 + 2)};
    }
    long place(int channel, int y, int x) const { return channel * channel_size + (y + 1) * stride + x + 1; }
};

inline constexpr int image_group = 6;  // output channels at once
inline constexpr int image_taps = 4;   // input pixels that reach an output pixel

// A transposed convolution. Output channels come in groups of six, the last may be smaller. A group is its biases, then
// for output pixels (2y, 2x), (2y, 2x + 1), (2y + 1, 2x) and (2y + 1, 2x + 1) the weights of each input channel: of
// the pixel (y, x), of its neighbour in the row, of its neighbour in the column and of that across.
struct PackedConvolution {
    const float* groups;
    int inputs, outputs;
    PaddedImage from;  // the image that is doubled

    int group_count() const { return (outputs + image_group - 1) / image_group; }
    int row_pairs() const { return (from.height + 1) / 2; }
    long tasks() const { return static_cast<long>(group_count()) * row_pairs(); }
    long group_floats(int size) const { return size + 4L * image_taps * inputs * size; }
};

// Where a convolution's image goes: padded for the next, which takes no negative numbers, or as it is shown.
struct ImageTarget {
    float* first;  // pixel (0, 0) of channel 0
    long stride, channel_size;
    bool is_last;
};

struct ImageKernels {
    // Outputs [8·begin, 8·end) of a dense layer: `groups` has of each eight the biases, then the weights of input 0, …
    void (*dense)(const float* groups, int inputs, const float* input, float* output, long begin, long end);
    // Tasks [begin, end) of the convolution, each two rows of the input and one group of outputs.
    void (*convolve)(const PackedConvolution& layer, const float* input, const ImageTarget& target, long begin,
                     long end);
};

extern const ImageKernels portable_image_kernels;
extern const ImageKernels avx2_image_kernels;  // equal to the portable ones where the compiler cannot make them

// The fastest for this processor.
const ImageKernels& image_kernels();

}  // namespace tulle::neural
