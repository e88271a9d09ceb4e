// SPDX-License-Identifier: Apache-2.0
// Compiled with AVX2 and FMA whatever the rest is compiled for: includes nothing whose inline functions could leak.
#include "tulle/collision/pair_kernel.h"

namespace tulle::collision {
namespace {
#include "tulle/collision/pair_kernel.inl"
}
extern const PairKernel avx2_pair_kernel = {bound_distances, find_meetings};
}  // namespace tulle::collision
