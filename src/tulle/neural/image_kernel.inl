// SPDX-License-Identifier: Apache-2.0
// The body of image_kernel.h, included by one file per instruction set inside an unnamed namespace.
//
// Seen from the output a transposed convolution of stride 2 is four ordinary ones of 2×2 weights, one for each parity
// of the output's row and column. Lanes are eight pixels of a row; two rows share each weight that is broadcast: six
// outputs make twelve sums, two inputs and one weight.

#include "tulle/core/vector8.inl"

void dense(const float* groups, int inputs, const float* input, float* output, long begin, long end) {
    const float* group = groups + begin * 8 * (inputs + 1);
    for (long g = begin; g < end; ++g) {
        Float8 sum = load8(group);
        group += 8;
        for (int i = 0; i < inputs; ++i, group += 8) sum += splat(input[i]) * load8(group);
        store8(output + 8 * g, sum);
    }
}

// Where a tile is read, and where it goes: pixels (y, x) and (y + 1, x) and seven to the right of each.
struct Tile {
    const float* from;          // pixel (y, x) of channel 0
    long to_row, to_column;     // the neighbours that reach this parity
    long stride, channel_size;  // of the input
    int inputs;
};

template <int Outputs>
TULLE_INLINE void accumulate(const Tile& tile, const float* weights, Float8 (&sums)[Outputs][2]) {
    const long places[image_taps] = {0, tile.to_column, tile.to_row, tile.to_row + tile.to_column};
    const float* from = tile.from;
    for (int i = 0; i < tile.inputs; ++i, from += tile.channel_size)
#pragma GCC unroll 4
        for (int t = 0; t < image_taps; ++t, weights += Outputs) {
            const Float8 first = load8(from + places[t]), second = load8(from + places[t] + tile.stride);
#pragma GCC unroll 6
            for (int o = 0; o < Outputs; ++o) {
                const Float8 weight = splat(weights[o]);
                sums[o][0] += weight * first;
                sums[o][1] += weight * second;
            }
        }
}

// Every second pixel of a row.
TULLE_INLINE void store_spread(Float8 values, bool is_last, int count, float* to) {
    if (!is_last) values = larger(values, Float8{});
    float pixels[8];
    store8(pixels, values);
    for (int k = 0; k < count; ++k) to[2 * k] = pixels[k];
}

// One parity of two rows of the input for a group of outputs.
template <int Outputs>
void convolve_rows(const PackedConvolution& layer, const float* input, const ImageTarget& target, const float* bias,
                   const float* weights, int first_output, int y, int parity) {
    const PaddedImage& from = layer.from;
    const int row_parity = parity / 2, column_parity = parity % 2;
    for (int x = 0; x < from.width; x += 8) {
        const Tile tile{.from = input + from.place(0, y, x),
                        .to_row = row_parity ? from.stride : -from.stride,
                        .to_column = column_parity ? 1 : -1,
                        .stride = from.stride,
                        .channel_size = from.channel_size,
                        .inputs = layer.inputs};
        Float8 sums[Outputs][2];
        for (int o = 0; o < Outputs; ++o) sums[o][0] = sums[o][1] = splat(bias[o]);
        accumulate<Outputs>(tile, weights, sums);
        const int count = from.width - x < 8 ? from.width - x : 8;
        for (int o = 0; o < Outputs; ++o)
            for (int row = 0; row < 2 && y + row < from.height; ++row)
                store_spread(sums[o][row], target.is_last, count,
                             target.first + (first_output + o) * target.channel_size +
                                 (2 * (y + row) + row_parity) * target.stride + 2 * x + column_parity);
    }
}

template <int Outputs>
void convolve_task(const PackedConvolution& layer, const float* input, const ImageTarget& target, int group, int pair) {
    const float* bias = layer.groups + group * layer.group_floats(image_group);
    for (int parity = 0; parity < 4; ++parity) {
        const float* weights = bias + Outputs + static_cast<long>(parity) * image_taps * layer.inputs * Outputs;
        convolve_rows<Outputs>(layer, input, target, bias, weights, group * image_group, 2 * pair, parity);
    }
}

void convolve(const PackedConvolution& layer, const float* input, const ImageTarget& target, long begin, long end) {
    for (long task = begin; task < end; ++task) {
        const int group = static_cast<int>(task / layer.row_pairs()), pair = static_cast<int>(task % layer.row_pairs());
        const int left = layer.outputs - group * image_group;
        switch (left < image_group ? left : image_group) {
            case 1:
                convolve_task<1>(layer, input, target, group, pair);
                break;
            case 2:
                convolve_task<2>(layer, input, target, group, pair);
                break;
            case 3:
                convolve_task<3>(layer, input, target, group, pair);
                break;
            case 4:
                convolve_task<4>(layer, input, target, group, pair);
                break;
            case 5:
                convolve_task<5>(layer, input, target, group, pair);
                break;
            default:
                convolve_task<6>(layer, input, target, group, pair);
                break;
        }
    }
}
