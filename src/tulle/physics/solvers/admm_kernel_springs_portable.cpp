// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_kernel_springs.h"

namespace tulle::physics {
namespace {
#include "tulle/physics/solvers/admm_kernel_springs.inl"
}
extern const SpringKernel portable_spring_kernel = project_springs;

SpringKernel spring_kernel() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_spring_kernel : portable_spring_kernel;
#else
    return portable_spring_kernel;
#endif
}
}  // namespace tulle::physics
