// SPDX-License-Identifier: Apache-2.0
#define Eigen EigenSingleThreaded  // EIGEN_DONT_PARALLELIZE changes functions that other files compile without it
#include "tulle/training/dense_kernel.inl"

namespace tulle::training {

DenseKernel dense_kernel_portable() { return {.gradient = chunk_gradient, .normalise = normalise, .add = add}; }

}  // namespace tulle::training
