// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/mass_spring_kernel.h"

namespace tulle::physics::mass_spring {

namespace {
#include "tulle/physics/solvers/mass_spring_kernel.inl"
}

Kernel portable_kernel() { return step; }

Kernel best_kernel() {
    const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_kernel() : portable_kernel();
}

}  // namespace tulle::physics::mass_spring
