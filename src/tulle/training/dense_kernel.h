// SPDX-License-Identifier: Apache-2.0
// The loss of a few samples and its gradient, forward and backward in one go while their numbers are in the cache. The
// plain twin is libtorch's autograd (torch_engine.cpp); a test compares them. Debian's libtorch multiplies matrices
// with the reference BLAS, on one thread, at a fifteenth of this speed.
#pragma once

namespace tulle::training {

inline constexpr float huber_width = 0.02f;  // Huber's loss is linear beyond this part of an output scale

enum class DenseError { Squares, Huber, Relative };  // see Loss

// With characters (neural/character_basis.h) everything is in coefficients, and the weights of a layer are one block
// for each character, one after the other, then its bias.
struct DenseShape {
    const int* sizes;  // layer_count + 1 of them
    int layer_count;
    float leak;  // the activation is max(x, leak·x)
    DenseError error;
    int characters = 1;
    const int* begins = nullptr;  // (layer_count + 1)×(characters + 1), if there are several: see CharacterBasis
};

// Numbers are normalised.
struct DenseChunk {
    const float* inputs;         // count×inputs
    const float* targets;        // count×outputs
    const float* output_scales;  // outputs
    int count;
    float factor;  // of the gradient: one over all numbers of the batch
};

struct DenseLoss {
    double minimised = 0;  // sum over samples and outputs of e², or of Huber's function, or of the relative loss
    double reported = 0;   // the same, times the square of each output's scale
};

struct DenseKernel {
    // Adds to `gradient` (as long as `parameters`). `workspace` has workspace_size() floats.
    DenseLoss (*gradient)(const DenseShape& shape, const float* parameters, const DenseChunk& chunk, float* workspace,
                          float* gradient);
    // Rows of `values` to (value − mean) · inverse_scale. Returns whether all are finite.
    bool (*normalise)(const float* mean, const float* inverse_scale, int size, int rows, float* values);
    // y += x
    void (*add)(const float* x, float* y, long count);
};

long workspace_size(const DenseShape& shape, int count);

DenseKernel dense_kernel();  // AVX2 where the machine has it
DenseKernel dense_kernel_avx2();
DenseKernel dense_kernel_portable();

}  // namespace tulle::training
