// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/neural/butterfly.h"
#include "tulle/neural/network_kernel.h"

namespace tulle::neural {
namespace {
#include "tulle/neural/network_kernel.inl"
}
extern const NetworkKernels avx2_network_kernels{evaluate, evaluate_lanes};
}  // namespace tulle::neural
