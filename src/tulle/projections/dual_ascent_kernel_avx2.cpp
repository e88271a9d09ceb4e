// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/projections/dual_ascent_kernel.h"

namespace tulle::projections {
namespace {
#include "tulle/projections/dual_ascent_kernel.inl"
}
extern const AscentKernels avx2_ascent_kernels = {move, ascend};
}  // namespace tulle::projections
