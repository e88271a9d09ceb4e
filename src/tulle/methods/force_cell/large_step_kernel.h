// SPDX-License-Identifier: Apache-2.0
// The fused passes of a large step (large_step.h), eight columns at a time, on the layout of `mass_spring`'s kernel:
// the forces come out of its sweep. Everything between the old and the new state is in single precision. This header
// and the kernel include no library, because the kernel is compiled twice.
#pragma once

#include "tulle/physics/solvers/mass_spring_kernel.h"

namespace tulle::methods::large_step {

using physics::mass_spring::Air;
using physics::mass_spring::Grid;
using physics::mass_spring::lanes;
using physics::mass_spring::margin;
using physics::mass_spring::State;

inline constexpr int strip = 2 * lanes;  // columns that a pass goes down together
inline constexpr int rows_above = 2;     // that the arrays below have besides a State's; zero, like all margins

// Arrays of one number for each vertex, laid out like a State.
struct Fields {
    float* accelerations[4];  // three coordinates, then along the gated normal [m/s²], times f; filtered in place
    float* normals[3];        // gated
};

struct Gate {
    float inverse_squares[2];          // 1/L² of neighbours in the row, in the column [1/m²]
    float opens, closes, fold_weight;  // see large_step.h
};

// What multiplies a field by 2 (1 − 2S), where fields are kept times the scales f of S: `centre` times itself and
// `box` · f² times the sum of 5×5.
struct Layer {
    float box;
    const float* centre;
    const float* squares;  // f²; zero where a vertex does not move
    const float* scales;   // f, likewise
    const float* pulls;    // f over the mass [1/kg], likewise
    const float* inverse_scales;
    float centre_inside;          // where all of the box move and have scales of one
    const unsigned char* inside;  // [row * strips + column / strip]: 1 where all of a strip are inside, else 0
    int strips;
};

// result = own · input + share · 2 (1 − 2S) last − before
struct Pass {
    float own, share;
    const float* input;
    const float* last;    // no other thread may write it meanwhile
    const float* before;  // null: zero; may be the result
    float* result;        // may be the input
};

struct Factors {
    double kept, impulse, place;
};

// Each works on rows [begin, end) and writes no others.
struct Kernel {
    // The accelerations of the state, and the normals.
    void (*accelerate)(const Grid&, const Air&, const State&, const Layer&, const Gate&, const Fields&, float* scratch,
                       int begin, int end);
    void (*filter)(const Layer&, const Grid&, const Pass&, int begin, int end);
    // The new state in the place of the old one.
    void (*move)(const Grid&, const Layer&, const Factors&, const Fields&, const State&, int begin, int end);
};

Kernel portable_kernel();
Kernel avx2_kernel();
// The fastest this machine can run.
Kernel best_kernel();

}  // namespace tulle::methods::large_step
