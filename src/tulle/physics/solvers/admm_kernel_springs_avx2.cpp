// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/physics/solvers/admm_kernel_springs.h"

namespace tulle::physics {
namespace {
#include "tulle/physics/solvers/admm_kernel_springs.inl"
}
extern const SpringKernel avx2_spring_kernel = project_springs;
}  // namespace tulle::physics
