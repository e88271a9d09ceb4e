// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/pair_kernel.h"

namespace tulle::collision {
namespace {
#include "tulle/collision/pair_kernel.inl"
}
extern const PairKernel portable_pair_kernel = {bound_distances, find_meetings};

const PairKernel& pair_kernel() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_pair_kernel : portable_pair_kernel;
#else
    return portable_pair_kernel;
#endif
}
}  // namespace tulle::collision
