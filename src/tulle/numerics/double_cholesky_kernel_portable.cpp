// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/double_cholesky_kernel.h"

namespace tulle::numerics {
namespace {
#include "tulle/numerics/double_cholesky_kernel.inl"
}
extern const FrontKernels portable_front_kernels{factor, update, forward, backward};

const FrontKernels& front_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_front_kernels : portable_front_kernels;
#else
    return portable_front_kernels;
#endif
}
}  // namespace tulle::numerics
