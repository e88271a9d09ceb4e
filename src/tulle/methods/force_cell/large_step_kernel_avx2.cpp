// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and FMA; only large_step_kernel_portable.cpp decides whether it is called.
#include "tulle/methods/force_cell/large_step_kernel.h"

namespace tulle::methods::large_step {

namespace {
#include "tulle/methods/force_cell/large_step_kernel.inl"
}

Kernel avx2_kernel() { return {accelerate, filter, move}; }

}  // namespace tulle::methods::large_step
