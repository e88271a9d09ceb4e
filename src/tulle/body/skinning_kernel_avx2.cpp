// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/body/skinning_kernel.h"

namespace tulle::body {
namespace {
#include "tulle/body/skinning_kernel.inl"
}
extern const SkinningKernels avx2_skinning_kernels = {linear, dual_quaternions};
}  // namespace tulle::body
