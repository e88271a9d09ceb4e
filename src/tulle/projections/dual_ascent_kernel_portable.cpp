// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/dual_ascent_kernel.h"

namespace tulle::projections {
namespace {
#include "tulle/projections/dual_ascent_kernel.inl"
}
extern const AscentKernels portable_ascent_kernels = {move, ascend};

const AscentKernels& ascent_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_ascent_kernels : portable_ascent_kernels;
#else
    return portable_ascent_kernels;
#endif
}
}  // namespace tulle::projections
