// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/neural/image_kernel.h"

namespace tulle::neural {
namespace {
#include "tulle/neural/image_kernel.inl"
}
extern const ImageKernels avx2_image_kernels{dense, convolve};
}  // namespace tulle::neural
