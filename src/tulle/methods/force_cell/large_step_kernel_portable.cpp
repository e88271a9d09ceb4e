// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_kernel.h"

namespace tulle::methods::large_step {

namespace {
#include "tulle/methods/force_cell/large_step_kernel.inl"
}

Kernel portable_kernel() { return {accelerate, filter, move}; }

Kernel best_kernel() {
    const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_kernel() : portable_kernel();
}

}  // namespace tulle::methods::large_step
