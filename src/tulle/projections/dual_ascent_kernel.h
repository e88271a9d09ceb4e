// SPDX-License-Identifier: Apache-2.0
// The two passes of dual ascent for edge limits, four edges at a time. One source (dual_ascent_kernel.inl), compiled
// for AVX2 and FMA and for any processor; dual_ascent_reference.h is the plain twin.
#pragma once

namespace tulle::projections {

// Every array of rows has four numbers a row, the fourth of them zero.
struct AscentArrays {
    const double* targets;   // |V| rows r̂
    const double* mobility;  // |V| w = 1/k, 0 where fixed
    double* positions;       // |V| rows r
    const int* first_pulls;  // |V|+1: the pulls on each vertex; those at its first end are added, the others subtracted
    const int* first_minuses;     // |V|: where those that are subtracted begin
    const int* pulls;             // offsets into `leads`
    const unsigned* ends;         // |E|×2 offsets into `positions`
    const double* steps;          // |E| τ
    const double* inverse_steps;  // |E| 1/τ
    const double* thresholds;     // |E| τ (1+ε)L
    double* multipliers;          // |E| rows λ
    double* leads;                // |E| rows y: multipliers ahead by their momentum
};

// Of the edges of one block: what the ascent and its stopping test need.
struct AscentSums {
    double turning = 0;    // Σ (y − λ⁺)·(λ⁺ − λ)/τ: positive where momentum leads away
    double slackness = 0;  // Σ τ((1+ε)L|y| − y·d)/τ: the duality gap of the edges
    double weight = 0;     // Σ (1+ε)L|y|: what rounding errors of the gap are measured by
    double violation = 0;  // largest (|d| − (1+ε)L) relative to `lengths`
};

struct AscentKernels {
    // r = r̂ − w Σ ±y for the vertices [begin, end). Returns Σ ½k‖r − r̂‖².
    double (*move)(const AscentArrays& arrays, long begin, long end);
    // λ⁺ = soft(y + τd, τ(1+ε)L), y⁺ = λ⁺ + momentum (λ⁺ − λ) for the edges [begin, end), both divisible by four.
    // `lengths`: |E| to measure violations by, or null: only the first sum is wanted.
    AscentSums (*ascend)(const AscentArrays& arrays, long begin, long end, double momentum, const double* lengths);
};

extern const AscentKernels portable_ascent_kernels;
extern const AscentKernels avx2_ascent_kernels;

// The fastest for this processor.
const AscentKernels& ascent_kernels();

}  // namespace tulle::projections
