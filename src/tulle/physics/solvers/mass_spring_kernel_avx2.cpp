// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and FMA; only mass_spring_kernel_portable.cpp decides whether it is called.
#include "tulle/physics/solvers/mass_spring_kernel.h"

namespace tulle::physics::mass_spring {

namespace {
#include "tulle/physics/solvers/mass_spring_kernel.inl"
}

Kernel avx2_kernel() { return step; }

}  // namespace tulle::physics::mass_spring
