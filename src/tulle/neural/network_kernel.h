// SPDX-License-Identifier: Apache-2.0
// Whole networks for tiles of samples. Every function exists twice, from one source (network_kernel.inl): with AVX2 and
// FMA, and for any processor.
#pragma once

namespace tulle::neural {

struct Butterfly;

// A layer with its weights in the order of use. Outputs come in groups of up to four; a group is its biases, then its
// weights of input 0, of input 1, …
struct PackedLayer {
    const float* groups;
    int inputs, outputs;
    int fours, threes, rest;  // groups of four outputs, then groups of three, then one of `rest` (0, 1 or 2)
};

// In a network with mirrors (character_basis.h) a layer is one PackedLayer for each character, one after the other.
struct PackedNetwork {
    const PackedLayer* begin;
    const PackedLayer* end;
    int inputs, outputs;
    int widest;                     // of all inputs and outputs
    float negative_slope;           // of the activation between layers
    int characters;                 // 1: no mirrors
    const Butterfly* inputs_begin;  // of the inputs and of the outputs, without their scales, which the layers have
    const Butterfly* inputs_end;
    const Butterfly* outputs_begin;
    const Butterfly* outputs_end;
};

inline constexpr int tile_samples = 24;  // three vectors of eight
inline constexpr int scratch_tiles = 3;  // of the widest layer's activations

struct NetworkKernels {
    // Rows of inputs to rows of outputs for `count` samples. `scratch` holds scratch_tiles · widest · tile_samples
    // floats and begins at a cache line.
    void (*evaluate)(const PackedNetwork& network, const float* inputs, float* outputs, long count, float* scratch);
    // One tile, feature by feature: inputs×tile_samples to outputs×tile_samples floats.
    void (*evaluate_lanes)(const PackedNetwork& network, const float* inputs, float* outputs, float* scratch);
};

extern const NetworkKernels portable_network_kernels;
extern const NetworkKernels avx2_network_kernels;  // equal to the portable ones where the compiler cannot make them

// The fastest for this processor.
const NetworkKernels& network_kernels();

}  // namespace tulle::neural
