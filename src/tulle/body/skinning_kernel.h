// SPDX-License-Identifier: Apache-2.0
// Skinning of a range of vertices, four numbers at a time. One source (skinning_kernel.inl), compiled for AVX2 and FMA
// and for any processor; skinned_reference in skin.h is the plain twin.
#pragma once

namespace tulle::body {

struct SkinningArrays {
    const double* positions;  // |V| rows of 3
    const int* joints;        // |V| rows of `influences`
    const double* weights;    // |V| rows of `influences`
    long influences;          // K
    const double*
        transforms;   // linear: 12 a joint, three rows of four; dual quaternions: 8 a joint, real then dual, xyzw
    double* skinned;  // |V| rows of 3
};

struct SkinningKernels {
    void (*linear)(const SkinningArrays& arrays, long begin, long end);
    void (*dual_quaternions)(const SkinningArrays& arrays, long begin, long end);
};

extern const SkinningKernels portable_skinning_kernels;
extern const SkinningKernels avx2_skinning_kernels;

// The fastest for this processor.
const SkinningKernels& skinning_kernels();

}  // namespace tulle::body
