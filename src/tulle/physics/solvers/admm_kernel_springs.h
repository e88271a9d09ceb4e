// SPDX-License-Identifier: Apache-2.0
// The local step of all springs of a task, eight at a time. One source (admm_kernel_springs.inl), compiled for AVX2 and
// FMA and for any processor.
#pragma once

namespace tulle::physics {

// Four vertices and the springs they own, two of each at a time:
//
//     group 0: the first and second spring of all four, group 1: the third and fourth, …
//
// in the order of lanes 0–7 = vertex 0, 2, 0, 2, 1, 3, 1, 3 with the earlier springs in lanes 0, 1, 4, 5. That is how
// the eight lengths come out of four registers with two rows each. Vertices with fewer springs are filled up with
// springs from the vertex to itself without stiffness; a block with fewer vertices repeats its last one. Rows are named
// by their offsets, four times their index.
constexpr int most_block_groups = 8;  // a vertex with more springs takes part in several blocks

struct SpringBlock {
    unsigned read[4];   // rows of the positions
    unsigned write[4];  // rows of the right-hand side
    int groups;
};

// Eight numbers a group, in the order of the blocks.
struct SpringArrays {
    const unsigned* read;    // rows of the positions of the other ends
    const unsigned* write;   // rows of the right-hand side of the other ends
    const float* rest;       // L [m]
    const float* stiffness;  // Δt² k [kg]
    float* multipliers;      // 2u [m], 8 rows of four floats a group, those of lanes 0, 4, 1, 5, 2, 6, 3, 7
    const float* shares;     // k/(k + w²) of springs whose weight w² is not k; null: all are ½. Then `stiffness` is
                             // Δt² w² [kg] and `multipliers` are u
    float* pulls;  // with `shares`: tension/w² [m], of the last pass, and before the first what it begins with
};

// With p = x_a − x_b + u, q = L p/|p|: u ← ½(p − q), and Δt² k q is added to row a and subtracted from row b of `to`.
// Positions are read from `from`; both are rows of four floats. `first`: u is zero and is not read.
// With shares s: u ← s (p − q), and Δt² w² (p − 2u) is added and subtracted; `first`: u is the spring's tension along
// it.
using SpringKernel = void (*)(const SpringBlock* begin, const SpringBlock* end, const SpringArrays& springs,
                              const float* from, float* to, bool first);

extern const SpringKernel portable_spring_kernel;
extern const SpringKernel avx2_spring_kernel;

// The fastest for this processor.
SpringKernel spring_kernel();

}  // namespace tulle::physics
