// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/numerics/double_cholesky_kernel.h"

namespace tulle::numerics {
namespace {
#include "tulle/numerics/double_cholesky_kernel.inl"
}
extern const FrontKernels avx2_front_kernels{factor, update, forward, backward};
}  // namespace tulle::numerics
