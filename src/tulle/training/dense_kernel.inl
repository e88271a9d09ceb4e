// SPDX-License-Identifier: Apache-2.0
// Included with Eigen under another name (see dense_kernel_avx2.cpp), so nothing that includes Eigen may come before.
#define EIGEN_DONT_PARALLELIZE  // we share out the chunks
#include "tulle/training/dense_kernel.h"
#include "tulle/training/relative_loss.h"

#include <Eigen/Core>

#include <algorithm>
#include <utility>

namespace {

using tulle::training::DenseChunk;
using tulle::training::DenseError;
using tulle::training::DenseLoss;
using tulle::training::DenseShape;
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Map<const Rows>;
using MutableRows = Eigen::Map<Rows>;
using ConstRow = Eigen::Map<const Eigen::RowVectorXf>;

// One matrix of a layer: all of it, or the block of one character.
struct Block {
    int input, inputs, output, outputs;
};

template <typename Body>
void for_blocks(const DenseShape& shape, int layer, const Body& body) {
    if (shape.characters == 1) return body(Block{0, shape.sizes[layer], 0, shape.sizes[layer + 1]});
    const int* in = shape.begins + layer * (shape.characters + 1);
    const int* out = in + shape.characters + 1;
    for (int k = 0; k < shape.characters; ++k) body(Block{in[k], in[k + 1] - in[k], out[k], out[k + 1] - out[k]});
}

long weight_count(const DenseShape& shape, int layer) {
    long count = 0;
    for_blocks(shape, layer, [&](const Block& block) { count += static_cast<long>(block.inputs) * block.outputs; });
    return count;
}

long layer_size(const DenseShape& shape, int layer) { return weight_count(shape, layer) + shape.sizes[layer + 1]; }

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

// Between coefficients and numbers, both ways: one row of `Characters` times `orbits` of them, character k beginning at
// (Characters − 1 − k) · orbits.
template <int Characters>
void walsh_row(const float* from, int orbits, float* to) {
    constexpr float scale = Characters == 8 ? 0.35355339f : Characters == 4 ? 0.5f : 0.70710678f;
#pragma omp simd
    for (int orbit = 0; orbit < orbits; ++orbit) {
        float v[Characters];
        for (int k = 0; k < Characters; ++k) v[k] = from[(Characters - 1 - k) * orbits + orbit];
        for (int half = 1; half < Characters; half *= 2)
            for (int i = 0; i < Characters; ++i) {
                if ((i & half) != 0) continue;
                const float a = v[i], b = v[i + half];
                v[i] = a + b;
                v[i + half] = a - b;
            }
        for (int k = 0; k < Characters; ++k) to[(Characters - 1 - k) * orbits + orbit] = scale * v[k];
    }
}

void walsh_row(int characters, const float* from, int size, float* to) {
    const int orbits = size / characters;
    if (characters == 8) walsh_row<8>(from, orbits, to);
    if (characters == 4) walsh_row<4>(from, orbits, to);
    if (characters == 2) walsh_row<2>(from, orbits, to);
}

// Coefficients are activated in place; `numbers` keeps the activations themselves.
void activate_coefficients(const DenseShape& shape, float* coefficients, long rows, int size, float* numbers) {
    for (long i = 0; i < rows; ++i, coefficients += size, numbers += size) {
        walsh_row(shape.characters, coefficients, size, numbers);
        const float leak = shape.leak;
#pragma omp simd
        for (int j = 0; j < size; ++j) numbers[j] *= numbers[j] > 0 ? 1.0f : leak;
        walsh_row(shape.characters, numbers, size, coefficients);
    }
}

// `numbers`: room for the activations, if there are characters.
void forward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                   MutableRows& outputs, float* numbers) {
    const int out = shape.sizes[layer + 1];
    const float* bias = parameters + weight_count(shape, layer);
    for_blocks(shape, layer, [&](const Block& block) {
        const ConstRows weights(parameters, block.outputs, block.inputs);
        outputs.middleCols(block.output, block.outputs).noalias() =
            inputs.middleCols(block.input, block.inputs) * weights.transpose();
        parameters += weights.size();
    });
    const bool is_last = layer + 1 == shape.layer_count;
    if (is_last || shape.characters > 1)
        add_bias(bias, outputs.data(), outputs.rows(), out);
    else
        add_bias_and_activate(bias, shape.leak, outputs.data(), outputs.rows(), out);
    if (!is_last && shape.characters > 1) activate_coefficients(shape, outputs.data(), outputs.rows(), out, numbers);
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

DenseLoss differentiate_relative(const DenseChunk& chunk, int size, float* predictions) {
    const float* targets = chunk.targets;
    DenseLoss loss;
    for (int i = 0; i < chunk.count; ++i, predictions += size, targets += size) {
        const float of_sample = tulle::training::differentiate_relative(targets, size, predictions);
        loss.minimised += static_cast<double>(of_sample * static_cast<float>(size));
        const float factor = chunk.factor * static_cast<float>(size);
        for (int j = 0; j < size; ++j) predictions[j] *= factor;
    }
    loss.reported = loss.minimised;
    return loss;
}

DenseLoss differentiate(const DenseShape& shape, const DenseChunk& chunk, float* predictions) {
    const int size = shape.sizes[shape.layer_count];
    if (shape.error == DenseError::Relative) return differentiate_relative(chunk, size, predictions);
    const ConstRow scales(chunk.output_scales, size);
    Eigen::RowVectorXf sums = Eigen::RowVectorXf::Zero(size);
    (shape.error == DenseError::Huber ? differentiate_huber : differentiate_squares)(chunk, size, predictions,
                                                                                     sums.data());
    DenseLoss loss;
    for (int j = 0; j < size; ++j) {
        loss.minimised += static_cast<double>(sums(j));
        loss.reported += static_cast<double>(sums(j) * scales(j) * scales(j));
    }
    return loss;
}

// From the gradient at the activations of a layer to that before them.
void backward_activation(const DenseShape& shape, const ConstRows& activations, const float* numbers,
                         MutableRows& gradient) {
    const float leak = shape.leak;
    if (shape.characters == 1) {
        const float* x = activations.data();
        float* g = gradient.data();
        const long count = gradient.size();
#pragma omp simd
        for (long i = 0; i < count; ++i) g[i] *= x[i] > 0 ? 1.0f : leak;
        return;
    }
    const auto size = static_cast<int>(gradient.cols());
    Eigen::RowVectorXf row(size);
    for (long i = 0; i < gradient.rows(); ++i, numbers += size) {
        float* g = gradient.data() + i * size;
        walsh_row(shape.characters, g, size, row.data());
        for (int j = 0; j < size; ++j) row(j) *= numbers[j] > 0 ? 1.0f : leak;
        walsh_row(shape.characters, row.data(), size, g);
    }
}

// From the gradient at a layer's outputs to those at its parameters and, but for the first, at its inputs. `numbers`:
// the activations that its inputs are the coefficients of, if there are characters.
void backward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                    const float* numbers, const ConstRows& upper, MutableRows& lower, float* gradient) {
    const int out = shape.sizes[layer + 1];
    // Row by row: Eigen's column sums take another order, and give other bits, where memory is aligned differently.
    float* bias = gradient + weight_count(shape, layer);
    for (long i = 0; i < upper.rows(); ++i) {
        const float* row = upper.data() + i * out;
#pragma omp simd
        for (int j = 0; j < out; ++j) bias[j] += row[j];
    }
    for_blocks(shape, layer, [&](const Block& block) {
        const auto above = upper.middleCols(block.output, block.outputs);
        const ConstRows weights(parameters, block.outputs, block.inputs);
        MutableRows(gradient, block.outputs, block.inputs).noalias() +=
            above.transpose() * inputs.middleCols(block.input, block.inputs);
        if (layer > 0) lower.middleCols(block.input, block.inputs).noalias() = above * weights;
        parameters += weights.size();
        gradient += weights.size();
    });
    if (layer > 0) backward_activation(shape, inputs, numbers, lower);
}

DenseLoss chunk_gradient(const DenseShape& shape, const float* parameters, const DenseChunk& chunk, float* workspace,
                         float* gradient) {
    // The workspace holds every layer's outputs, then two buffers for the gradient on its way back, then, if there are
    // characters, every layer's activations.
    const float* inputs = chunk.inputs;
    float* outputs = workspace;
    const int widest = *std::max_element(shape.sizes, shape.sizes + shape.layer_count + 1);
    long all = 0;
    for (int layer = 0; layer < shape.layer_count; ++layer) all += shape.sizes[layer + 1];
    float* below = workspace + all * chunk.count;
    float* other = below + static_cast<long>(chunk.count) * widest;
    float* numbers = other + static_cast<long>(chunk.count) * widest;
    long offset = 0;
    for (int layer = 0; layer < shape.layer_count; ++layer) {
        MutableRows rows(outputs, chunk.count, shape.sizes[layer + 1]);
        forward_layer(shape, layer, parameters + offset, ConstRows(inputs, chunk.count, shape.sizes[layer]), rows,
                      numbers);
        offset += layer_size(shape, layer);
        inputs = outputs;
        outputs += rows.size();
        numbers += rows.size();
    }
    float* above = outputs -= static_cast<long>(chunk.count) * shape.sizes[shape.layer_count];
    numbers -= static_cast<long>(chunk.count) * shape.sizes[shape.layer_count];
    const DenseLoss loss = differentiate(shape, chunk, above);
    for (int layer = shape.layer_count - 1; layer >= 0; --layer) {
        const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
        const long step = layer > 0 ? static_cast<long>(chunk.count) * in : 0;
        outputs -= step;
        numbers -= step;
        offset -= layer_size(shape, layer);
        MutableRows lower(below, chunk.count, in);
        backward_layer(shape, layer, parameters + offset,
                       ConstRows(layer > 0 ? outputs : chunk.inputs, chunk.count, in), numbers,
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
