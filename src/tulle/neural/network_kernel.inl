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
    TULLE_INLINE Float8 operator()(Float8 x) const { return larger(Float8{}, x); }  // lets NaN through
};
struct LeakyRelu {
    float slope;
    TULLE_INLINE Float8 operator()(Float8 x) const { return larger(splat(slope) * x, x); }
};

// Four columns of eight samples, from rows k and k + 4 side by side (k = 0 … 3) to one vector per column, and back.
TULLE_INLINE void transpose(Float8 (&v)[4]) {
    const Float8 low01 = unpack_low(v[0], v[1]), high01 = unpack_high(v[0], v[1]);
    const Float8 low23 = unpack_low(v[2], v[3]), high23 = unpack_high(v[2], v[3]);
    v[0] = first_pairs(low01, low23);
    v[1] = second_pairs(low01, low23);
    v[2] = first_pairs(high01, high23);
    v[3] = second_pairs(high01, high23);
}

// Calls block(column) for blocks of four columns that cover [0, size); the last overlaps the one before it.
template <typename Block>
TULLE_INLINE void for_column_blocks(int size, const Block& block) {
    for (int column = 0; column + 4 < size; column += 4) block(column);
    block(size - 4);
}

// Rows of samples to features of 24. Rows from `count` on repeat the last one.
TULLE_INLINE void load_tile(const float* rows, int size, int count, float* features) {
    for (int first = 0; first < tile_samples; first += 8) {
        const float* row[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) row[k] = rows + static_cast<long>(first + k < count ? first + k : count - 1) * size;
        if (size < 4) {
            for (int c = 0; c < size; ++c)
                for (int k = 0; k < 8; ++k) features[c * tile_samples + first + k] = row[k][c];
            continue;
        }
        for_column_blocks(size, [&](int column) {
            Float8 v[4];
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) v[k] = join(load4(row[k] + column), load4(row[k + 4] + column));
            transpose(v);
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) store8(features + (column + k) * tile_samples + first, v[k]);
        });
    }
}

// Features of 24 to eight rows of samples, of which the first `count` are stored.
template <bool Whole>
TULLE_INLINE void store_eight(const float* features, int size, int count, float* rows) {
    const auto row = [&](int k) { return rows + static_cast<long>(k) * size; };
    if (size < 4) {
        for (int k = 0; k < (Whole ? 8 : count); ++k)
            for (int c = 0; c < size; ++c) row(k)[c] = features[c * tile_samples + k];
        return;
    }
    for_column_blocks(size, [&](int column) {
        Float8 v[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) v[k] = load8(features + (column + k) * tile_samples);
        transpose(v);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            if (Whole || k < count) store4(row(k) + column, low_half(v[k]));
            if (Whole || k + 4 < count) store4(row(k + 4) + column, high_half(v[k]));
        }
    });
}

// Features of 24 to `count` rows of samples.
TULLE_INLINE void store_tile(const float* features, int size, int count, float* rows) {
    for (; count >= 8; count -= 8, features += 8, rows += 8L * size) store_eight<true>(features, size, 8, rows);
    if (count > 0) store_eight<false>(features, size, count, rows);
}

// One group of outputs for a tile; returns where the next group begins.
template <int Outputs, typename Activate>
TULLE_INLINE const float* evaluate_group(const float* group, const float* from, int inputs, const Activate& activate,
                                         float* to) {
    Float8 sums[Outputs][3];
#pragma GCC unroll 4
    for (int o = 0; o < Outputs; ++o) sums[o][0] = sums[o][1] = sums[o][2] = splat(group[o]);
    group += Outputs;
#pragma GCC unroll 2
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

// Not inlined: among the code of a whole tile gcc 12 runs out of registers here, which costs a fifth of the speed.
template <typename Activate>
__attribute__((noinline)) void evaluate_layer(const PackedLayer& layer, const float* from, const Activate& activate,
                                              float* to) {
    const float* group = layer.groups;
    for (int k = 0; k < layer.fours; ++k, to += 4 * tile_samples)
        group = evaluate_group<4>(group, from, layer.inputs, activate, to);
    for (int k = 0; k < layer.threes; ++k, to += 3 * tile_samples)
        group = evaluate_group<3>(group, from, layer.inputs, activate, to);
    if (layer.rest == 2) evaluate_group<2>(group, from, layer.inputs, activate, to);
    if (layer.rest == 1) evaluate_group<1>(group, from, layer.inputs, activate, to);
}

// Asks for rows that will be needed after the layers of this tile, so that their way from memory costs no time.
template <int ForWriting>
TULLE_INLINE void prefetch(const float* begin, long floats) {
    for (long i = 0; i < floats; i += 16) __builtin_prefetch(begin + i, ForWriting);
}

// Sums and differences of 2, 4 or 8 vectors: character_basis.h.
template <int Size>
TULLE_INLINE void walsh(Float8 (&v)[Size]) {
#pragma GCC unroll 3
    for (int half = 1; half < Size; half *= 2)
#pragma GCC unroll 8
        for (int i = 0; i < Size; ++i) {
            if ((i & half) != 0) continue;
            const Float8 a = v[i], b = v[i + half];
            v[i] = a + b;
            v[i + half] = a - b;
        }
}

// Numbers to coefficients, or back if `Back`.
template <int Size, bool Back>
TULLE_INLINE void fly(const Butterfly& butterfly, const float* from, float* to) {
    const int* sources = Back ? butterfly.slots : butterfly.members;
    const int* targets = Back ? butterfly.members : butterfly.slots;
    for (int lane = 0; lane < tile_samples; lane += 8) {
        Float8 v[Size];
#pragma GCC unroll 8
        for (int k = 0; k < Size; ++k) {
            v[k] = load8(from + sources[k] * tile_samples + lane);
            if (!Back) v[k] *= splat(butterfly.signs[k]);
        }
        walsh(v);
#pragma GCC unroll 8
        for (int k = 0; k < Size; ++k) {
            if (Back) v[k] *= splat(butterfly.signs[k]);
            store8(to + targets[k] * tile_samples + lane, v[k]);
        }
    }
}

template <bool Back>
TULLE_INLINE void fly_all(const Butterfly* begin, const Butterfly* end, const float* from, float* to) {
    for (const Butterfly* b = begin; b != end; ++b) {
        if (b->size == 8) fly<8, Back>(*b, from, to);
        if (b->size == 4) fly<4, Back>(*b, from, to);
        if (b->size == 2) fly<2, Back>(*b, from, to);
        if (b->size == 1) fly<1, Back>(*b, from, to);
    }
}

// The activation acts on numbers, so coefficients become numbers for it, and coefficients again. Character k of
// `orbits` hidden units each begins at (Characters − 1 − k) · orbits.
template <int Characters, typename Activate>
void activate_coefficients(int orbits, const Activate& activate, float* coefficients) {
    for (int orbit = 0; orbit < orbits; ++orbit)
        for (int lane = 0; lane < tile_samples; lane += 8) {
            Float8 v[Characters];
            float* const last = coefficients + ((Characters - 1) * orbits + orbit) * tile_samples + lane;
#pragma GCC unroll 8
            for (int k = 0; k < Characters; ++k) v[k] = load8(last - k * orbits * tile_samples);
            walsh(v);
#pragma GCC unroll 8
            for (int k = 0; k < Characters; ++k) v[k] = activate(v[k]);
            walsh(v);
#pragma GCC unroll 8
            for (int k = 0; k < Characters; ++k) store8(last - k * orbits * tile_samples, v[k]);
        }
}

template <typename Activate>
TULLE_INLINE void activate_coefficients(int characters, int orbits, const Activate& activate, float* coefficients) {
    if (characters == 8) activate_coefficients<8>(orbits, activate, coefficients);
    if (characters == 4) activate_coefficients<4>(orbits, activate, coefficients);
    if (characters == 2) activate_coefficients<2>(orbits, activate, coefficients);
}

void evaluate_mirrored_lanes(const PackedNetwork& network, const float* inputs, float* outputs, float* scratch) {
    float *from = scratch, *to = scratch + network.widest * tile_samples;
    fly_all<false>(network.inputs_begin, network.inputs_end, inputs, from);
    for (const PackedLayer* layer = network.begin; layer != network.end;) {
        const float* in = from;
        float* out = to;
        for (int character = 0; character < network.characters; ++character, ++layer) {
            evaluate_layer(*layer, in, NoActivation{}, out);
            in += layer->inputs * tile_samples;
            out += layer->outputs * tile_samples;
        }
        float* const written = to;
        to = from;
        from = written;
        if (layer == network.end) break;
        const int orbits = (layer - 1)->outputs;
        if (network.negative_slope == 0)
            activate_coefficients(network.characters, orbits, Relu{}, from);
        else
            activate_coefficients(network.characters, orbits, LeakyRelu{network.negative_slope}, from);
    }
    fly_all<true>(network.outputs_begin, network.outputs_end, from, outputs);
}

// Activations between the layers go to and fro between the first two tiles of the scratch.
void evaluate_lanes(const PackedNetwork& network, const float* inputs, float* outputs, float* scratch) {
    if (network.characters > 1) return evaluate_mirrored_lanes(network, inputs, outputs, scratch);
    const float* from = inputs;
    float *to = scratch, *next = scratch + network.widest * tile_samples;
    for (const PackedLayer* layer = network.begin; layer + 1 != network.end; ++layer) {
        if (network.negative_slope == 0)
            evaluate_layer(*layer, from, Relu{}, to);
        else
            evaluate_layer(*layer, from, LeakyRelu{network.negative_slope}, to);
        float* const written = to;
        from = written;
        to = next;
        next = written;
    }
    evaluate_layer(*(network.end - 1), from, NoActivation{}, outputs);
}

void evaluate(const PackedNetwork& network, const float* inputs, float* outputs, long count, float* scratch) {
    // Inputs may lie in the second tile of the scratch: after the first layer (or the first butterflies) nobody needs
    // them.
    float *const in = scratch + network.widest * tile_samples, *const out = in + network.widest * tile_samples;
    const int input_size = network.inputs, output_size = network.outputs;
    for (long first = 0; first < count; first += tile_samples) {
        const int samples = count - first < tile_samples ? static_cast<int>(count - first) : tile_samples;
        load_tile(inputs + first * input_size, input_size, samples, in);
        const long next = first + tile_samples, coming = count - next < tile_samples ? count - next : tile_samples;
        prefetch<0>(inputs + next * input_size, coming * input_size);
        prefetch<1>(outputs + first * output_size, static_cast<long>(samples) * output_size);
        evaluate_lanes(network, in, out, scratch);
        store_tile(out, output_size, samples, outputs + first * output_size);
    }
}
