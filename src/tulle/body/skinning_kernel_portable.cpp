// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/skinning_kernel.h"

namespace tulle::body {
namespace {
#include "tulle/body/skinning_kernel.inl"
}
extern const SkinningKernels portable_skinning_kernels = {linear, dual_quaternions};

const SkinningKernels& skinning_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_skinning_kernels : portable_skinning_kernels;
#else
    return portable_skinning_kernels;
#endif
}
}  // namespace tulle::body
