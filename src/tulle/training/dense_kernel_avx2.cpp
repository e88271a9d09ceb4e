// SPDX-License-Identifier: Apache-2.0
// Eigen's inline functions are compiled for AVX2 here. Under their own names the linker could give them to the rest of
// the program, which must run on any machine.
#define Eigen EigenAvx2
#include "tulle/training/dense_kernel.inl"

namespace tulle::training {

DenseKernel dense_kernel_avx2() { return {.gradient = chunk_gradient, .normalise = normalise, .add = add}; }

}  // namespace tulle::training
