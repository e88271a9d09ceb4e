// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/dense_kernel.h"

#include <algorithm>

namespace tulle::training {

long workspace_size(const DenseShape& shape, int count) {
    long numbers = 0;
    int widest = 0;
    for (int layer = 0; layer < shape.layer_count; ++layer) {
        numbers += shape.sizes[layer + 1];
        widest = std::max({widest, shape.sizes[layer], shape.sizes[layer + 1]});
    }
    // With characters the activations themselves are kept too, for their signs.
    return ((shape.characters > 1 ? 2 : 1) * numbers + 2L * widest) * count;
}

DenseKernel dense_kernel() {
    const bool fast = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    return fast ? dense_kernel_avx2() : dense_kernel_portable();
}

}  // namespace tulle::training
