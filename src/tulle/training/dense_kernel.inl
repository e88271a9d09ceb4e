// SPDX-License-Identifier: Apache-2.0
// Included with Eigen under another name (see dense_kernel_avx2.cpp), so nothing that includes Eigen may come before.
#define EIGEN_DONT_PARALLELIZE  // we share out the chunks
#include "tulle/training/dense_kernel.h"

#include <Eigen/Core>

#include <algorithm>
#include <utility>

namespace {

using tulle::training::DenseChunk;
using tulle::training::DenseLoss;
using tulle::training::DenseShape;
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Map<const Rows>;
using MutableRows = Eigen::Map<Rows>;
using ConstRow = Eigen::Map<const Eigen::RowVectorXf>;

long layer_size(const DenseShape& shape, int layer) { return shape.sizes[layer + 1] * (shape.sizes[layer] + 1L); }

// The loops over elements are plain because Eigen vectorises neither choices nor short rows well.
void add_bias(const float* bias, float* values, long rows, int size) {
    for (long i = 0; i < rows; ++i, values += size)
#pragma omp simd
        for (int j = 0; j < size; ++j) values[j] += bias[j];
}

void add_bias_and_activate(const float* bias, float leak, float* values, long rows, int size) {
    for (long i = 0; i < rows; ++i, values += size)
#pragma omp simd
        for (int j = 0; j < size; ++j) {
            const float x = values[j] + bias[j];
            values[j] = x * (x > 0 ? 1.0f : leak);
        }
}

void forward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                   MutableRows& outputs) {
    const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
    const float* bias = parameters + static_cast<long>(in) * out;
    outputs.noalias() = inputs * ConstRows(parameters, out, in).transpose();
    if (layer + 1 == shape.layer_count)
        add_bias(bias, outputs.data(), outputs.rows(), out);
    else
        add_bias_and_activate(bias, shape.leak, outputs.data(), outputs.rows(), out);
}

// Replaces predictions by the gradient of the loss, and adds the loss of each output to `sums`.
void differentiate_squares(const DenseChunk& chunk, int size, float* predictions, float* sums) {
    const float* targets = chunk.targets;
    for (int i = 0; i < chunk.count; ++i, predictions += size, targets += size)
#pragma omp simd
        for (int j = 0; j < size; ++j) {
            const float error = predictions[j] - targets[j];
            sums[j] += error * error;
            predictions[j] = 2 * chunk.factor * error;
        }
}

void differentiate_huber(const DenseChunk& chunk, int size, float* predictions, float* sums) {
    const float* targets = chunk.targets;
    for (int i = 0; i < chunk.count; ++i, predictions += size, targets += size)
#pragma omp simd
        for (int j = 0; j < size; ++j) {
            const float error = predictions[j] - targets[j];
            constexpr float w = tulle::training::huber_width;
            const float near = error < -w ? -w : error > w ? w : error;
            sums[j] += near * (error - 0.5f * near);  // ½e², or w(|e| − ½w)
            predictions[j] = chunk.factor * near;
        }
}

DenseLoss differentiate(const DenseShape& shape, const DenseChunk& chunk, float* predictions) {
    const int size = shape.sizes[shape.layer_count];
    const ConstRow scales(chunk.output_scales, size);
    Eigen::RowVectorXf sums = Eigen::RowVectorXf::Zero(size);
    (shape.huber ? differentiate_huber : differentiate_squares)(chunk, size, predictions, sums.data());
    DenseLoss loss;
    for (int j = 0; j < size; ++j) {
        loss.minimised += static_cast<double>(sums(j));
        loss.reported += static_cast<double>(sums(j) * scales(j) * scales(j));
    }
    return loss;
}

// From the gradient at a layer's outputs to those at its parameters and, but for the first, at its inputs.
void backward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                    const ConstRows& upper, MutableRows& lower, float* gradient) {
    const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
    MutableRows(gradient, out, in).noalias() += upper.transpose() * inputs;
    // Row by row: Eigen's column sums take another order, and give other bits, where memory is aligned differently.
    float* bias = gradient + static_cast<long>(in) * out;
    for (long i = 0; i < upper.rows(); ++i) {
        const float* row = upper.data() + i * out;
#pragma omp simd
        for (int j = 0; j < out; ++j) bias[j] += row[j];
    }
    if (layer == 0) return;
    lower.noalias() = upper * ConstRows(parameters, out, in);
    const float* x = inputs.data();
    float* g = lower.data();
    const long count = lower.size();
    const float leak = shape.leak;
#pragma omp simd
    for (long i = 0; i < count; ++i) g[i] *= x[i] > 0 ? 1.0f : leak;
}

DenseLoss chunk_gradient(const DenseShape& shape, const float* parameters, const DenseChunk& chunk, float* workspace,
                         float* gradient) {
    // The workspace holds every layer's outputs, then two buffers for the gradient on its way back.
    const float* inputs = chunk.inputs;
    float* outputs = workspace;
    long offset = 0;
    for (int layer = 0; layer < shape.layer_count; ++layer) {
        MutableRows rows(outputs, chunk.count, shape.sizes[layer + 1]);
        forward_layer(shape, layer, parameters + offset, ConstRows(inputs, chunk.count, shape.sizes[layer]), rows);
        offset += layer_size(shape, layer);
        inputs = outputs;
        outputs += rows.size();
    }
    float* below = outputs;
    float* other =
        below + static_cast<long>(chunk.count) * *std::max_element(shape.sizes, shape.sizes + shape.layer_count);
    float* above = outputs -= static_cast<long>(chunk.count) * shape.sizes[shape.layer_count];
    const DenseLoss loss = differentiate(shape, chunk, above);
    for (int layer = shape.layer_count - 1; layer >= 0; --layer) {
        const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
        outputs -= layer > 0 ? static_cast<long>(chunk.count) * in : 0;
        offset -= layer_size(shape, layer);
        MutableRows lower(below, chunk.count, in);
        backward_layer(shape, layer, parameters + offset,
                       ConstRows(layer > 0 ? outputs : chunk.inputs, chunk.count, in),
                       ConstRows(above, chunk.count, out), lower, gradient + offset);
        above = below;
        std::swap(below, other);
    }
    return loss;
}

bool normalise(const float* mean, const float* inverse_scale, int size, int rows, float* values) {
    float zero = 0;  // or NaN, which no sum hides
    for (int i = 0; i < rows; ++i, values += size)
#pragma omp simd reduction(+ : zero)
        for (int j = 0; j < size; ++j) {
            values[j] = (values[j] - mean[j]) * inverse_scale[j];
            zero += values[j] * 0.0f;
        }
    return zero == 0.0f;
}

void add(const float* x, float* y, long count) {
#pragma omp simd
    for (long i = 0; i < count; ++i) y[i] += x[i];
}

}  // namespace
