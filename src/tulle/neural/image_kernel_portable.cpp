// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_kernel.h"

namespace tulle::neural {
namespace {
#include "tulle/neural/image_kernel.inl"
}
extern const ImageKernels portable_image_kernels{dense, convolve};

const ImageKernels& image_kernels() {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fast ? avx2_image_kernels : portable_image_kernels;
#else
    return portable_image_kernels;
#endif
}
}  // namespace tulle::neural
