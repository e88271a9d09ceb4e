// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/numerics/sparse_cholesky_kernel.h"

namespace tulle::numerics {
namespace {
#include "tulle/numerics/sparse_cholesky_kernel.inl"
}
extern const PanelKernels avx2_panel_kernels{forward, backward, forward_piece, backward_piece, gather};
}  // namespace tulle::numerics
