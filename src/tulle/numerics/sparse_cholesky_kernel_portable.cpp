// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_kernel.h"

namespace tulle::numerics {
namespace {
#include "tulle/numerics/sparse_cholesky_kernel.inl"
}
extern const PanelKernels portable_panel_kernels{forward, backward, forward_piece, backward_piece, gather};

const PanelKernels& panel_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_panel_kernels : portable_panel_kernels;
#else
    return portable_panel_kernels;
#endif
}
}  // namespace tulle::numerics
