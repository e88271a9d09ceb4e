// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/butterfly.h"
#include "tulle/neural/network_kernel.h"

namespace tulle::neural {
namespace {
#include "tulle/neural/network_kernel.inl"
}
extern const NetworkKernels portable_network_kernels{evaluate, evaluate_lanes};

const NetworkKernels& network_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_network_kernels : portable_network_kernels;
#else
    return portable_network_kernels;
#endif
}
}  // namespace tulle::neural
