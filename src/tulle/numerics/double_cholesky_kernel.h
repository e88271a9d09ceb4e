// SPDX-License-Identifier: Apache-2.0
// The dense work on one supernode in double precision. Every function exists twice, from one source
// (double_cholesky_kernel.inl): with AVX2 and FMA, and for any processor.
#pragma once

#include <cstdint>

namespace tulle::numerics {

// The columns of L that belong to a supernode, column by column. Zeros fill both parts up to multiples of four, so that
// vectors of four never meet an end:
//
//              columns  0
//     width   ┌ L₁₁     0 ┐      width × width, only its lower half counts
//             └ 0       0 ┘
//     below   ┌ L₂₁     0 ┐
//             └ 0       0 ┘
struct Front {
    std::int64_t values;  // where its height × width doubles begin
    int columns;
    int width;   // columns up to a multiple of four
    int below;   // rows below, likewise
    int height;  // width + below
};

struct FrontKernels {
    // A's columns → L's, in place. The first column whose pivot is not positive, or the number of columns if all are.
    int (*factor)(const Front& front, double* values);
    // update −= L₂₁ L₂₁ᵀ, the lower half of below × below.
    void (*update)(const Front& front, const double* values, double* update);
    // The sweeps of L Lᵀ x = b over `height` rows: forward b₁ ← L₁₁⁻¹ b₁, b₂ ← b₂ − L₂₁ b₁;
    void (*forward)(const Front& front, const double* values, double* rows);
    // and backward x₁ = L₁₁⁻ᵀ (b₁ − L₂₁ᵀ x₂).
    void (*backward)(const Front& front, const double* values, double* rows);
};

extern const FrontKernels portable_front_kernels;
extern const FrontKernels avx2_front_kernels;  // equal to the portable ones where the compiler cannot make them

// The fastest for this processor.
const FrontKernels& front_kernels();

}  // namespace tulle::numerics
