// SPDX-License-Identifier: Apache-2.0
// The body of network_kernel.h, included by one file per instruction set inside an unnamed namespace.
//
// A tile is 24 samples: three vectors whose lanes are samples. Between layers a tile is kept feature by feature (24
// floats each), so that a weight is broadcast and meets three vectors of samples; four outputs at a time fill the
// sixteen registers with twelve sums, three inputs and one weight. Every sample has its own lane and its own order of
// additions, the same in every tile.

#include "tulle/core/vector8.inl"

struct NoActivation {
    TULLE_INLINE Float8 operator()(Float8 x) const { return x; }
};
struct Relu {
    TULLE_INLINE Float8 operator()(Float8 x) const { return Float8{} > x ? Float8{} : x; }  // lets NaN through
};
struct LeakyRelu {
    float slope;
    TULLE_INLINE Float8 operator()(Float8 x) const {
        const Float8 scaled = x * slope;
        return scaled > x ? scaled : x;
    }
};

// Eight vectors of eight: the lanes of one become the vectors of the other.
TULLE_INLINE void transpose(Float8 (&v)[8]) {
    Float8 pairs[8], quads[8];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        pairs[2 * k] = unpack_low(v[2 * k], v[2 * k + 1]);
        pairs[2 * k + 1] = unpack_high(v[2 * k], v[2 * k + 1]);
    }
#pragma GCC unroll 2
    for (int k = 0; k < 8; k += 4) {
        quads[k] = first_pairs(pairs[k], pairs[k + 2]);
        quads[k + 1] = second_pairs(pairs[k], pairs[k + 2]);
        quads[k + 2] = first_pairs(pairs[k + 1], pairs[k + 3]);
        quads[k + 3] = second_pairs(pairs[k + 1], pairs[k + 3]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        v[k] = __builtin_shufflevector(quads[k], quads[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[k + 4] = __builtin_shufflevector(quads[k], quads[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Calls block(column) for blocks of eight columns that cover [0, size); the last overlaps the one before it.
template <typename Block>
TULLE_INLINE void for_column_blocks(int size, const Block& block) {
    for (int column = 0; column + 8 < size; column += 8) block(column);
    block(size - 8);
}

// Rows of samples to features of 24. Rows from `count` on repeat the last one.
TULLE_INLINE void load_tile(const float* rows, int size, int count, float* features) {
    const auto row = [&](int sample) { return rows + static_cast<long>(sample < count ? sample : count - 1) * size; };
    for (int first = 0; first < tile_samples; first += 8) {
        if (size < 8) {
            for (int sample = first; sample < first + 8; ++sample)
                for (int c = 0; c < size; ++c) features[c * tile_samples + sample] = row(sample)[c];
            continue;
        }
        for_column_blocks(size, [&](int column) {
            Float8 v[8];
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k) v[k] = load8(row(first + k) + column);
            transpose(v);
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k) store8(features + (column + k) * tile_samples + first, v[k]);
        });
    }
}

// Features of 24 to rows of samples, of which there are `count`.
TULLE_INLINE void store_tile(const float* features, int size, int count, float* rows) {
    for (int first = 0; first < count; first += 8) {
        const int last = first + 8 < count ? first + 8 : count;
        if (size < 8) {
            for (int sample = first; sample < last; ++sample)
                for (int c = 0; c < size; ++c)
                    rows[static_cast<long>(sample) * size + c] = features[c * tile_samples + sample];
            continue;
        }
        for_column_blocks(size, [&](int column) {
            Float8 v[8];
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k) v[k] = load8(features + (column + k) * tile_samples + first);
            transpose(v);
            float* to = rows + static_cast<long>(first) * size + column;
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k)
                if (first + k < last) store8(to + static_cast<long>(k) * size, v[k]);
        });
    }
}

// One group of outputs for a tile; returns where the next group begins.
template <int Outputs, typename Activate>
TULLE_INLINE const float* evaluate_group(const float* group, const float* from, int inputs, const Activate& activate,
                                         float* to) {
    Float8 sums[Outputs][3];
#pragma GCC unroll 4
    for (int o = 0; o < Outputs; ++o) sums[o][0] = sums[o][1] = sums[o][2] = splat(group[o]);
    group += Outputs;
    for (int i = 0; i < inputs; ++i, group += Outputs, from += tile_samples) {
        const Float8 a = load8(from), b = load8(from + 8), c = load8(from + 16);
#pragma GCC unroll 4
        for (int o = 0; o < Outputs; ++o) {
            const Float8 weight = splat(group[o]);
            sums[o][0] += weight * a;
            sums[o][1] += weight * b;
            sums[o][2] += weight * c;
        }
    }
#pragma GCC unroll 4
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 3
        for (int k = 0; k < 3; ++k) store8(to + o * tile_samples + 8 * k, activate(sums[o][k]));
    return group;
}

template <typename Activate>
void evaluate_layer(const PackedLayer& layer, const float* from, const Activate& activate, float* to) {
    const float* group = layer.groups;
    for (int k = 0; k < layer.fours; ++k, to += 4 * tile_samples)
        group = evaluate_group<4>(group, from, layer.inputs, activate, to);
    for (int k = 0; k < layer.threes; ++k, to += 3 * tile_samples)
        group = evaluate_group<3>(group, from, layer.inputs, activate, to);
    if (layer.rest == 2) evaluate_group<2>(group, from, layer.inputs, activate, to);
    if (layer.rest == 1) evaluate_group<1>(group, from, layer.inputs, activate, to);
}

void evaluate(const PackedNetwork& network, const float* inputs, float* outputs, long count, float* scratch) {
    const int input_size = network.begin->inputs, output_size = (network.end - 1)->outputs;
    for (long first = 0; first < count; first += tile_samples) {
        const int samples = count - first < tile_samples ? static_cast<int>(count - first) : tile_samples;
        float *from = scratch, *to = scratch + network.widest * tile_samples;
        load_tile(inputs + first * input_size, input_size, samples, from);
        for (const PackedLayer* layer = network.begin; layer != network.end; ++layer) {
            if (layer + 1 == network.end)
                evaluate_layer(*layer, from, NoActivation{}, to);
            else if (network.negative_slope == 0)
                evaluate_layer(*layer, from, Relu{}, to);
            else
                evaluate_layer(*layer, from, LeakyRelu{network.negative_slope}, to);
            float* const used = from;
            from = to;
            to = used;
        }
        store_tile(from, output_size, samples, outputs + first * output_size);
    }
}
