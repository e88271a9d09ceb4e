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
using MutableRow = Eigen::Map<Eigen::RowVectorXf>;

long layer_size(const DenseShape& shape, int layer) { return shape.sizes[layer + 1] * (shape.sizes[layer] + 1L); }

void forward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                   MutableRows& outputs) {
    const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
    const ConstRow bias(parameters + static_cast<long>(in) * out, out);
    outputs.noalias() = inputs * ConstRows(parameters, out, in).transpose();
    if (layer + 1 == shape.layer_count)
        outputs.rowwise() += bias;
    else
        for (long i = 0; i < outputs.rows(); ++i)
            outputs.row(i) = (outputs.row(i) + bias).cwiseMax(shape.leak * (outputs.row(i) + bias));
}

// Replaces predictions by the gradient of the loss.
DenseLoss differentiate(const DenseShape& shape, const DenseChunk& chunk, MutableRows& predictions) {
    const ConstRows targets(chunk.targets, predictions.rows(), predictions.cols());
    const ConstRow scales(chunk.output_scales, predictions.cols());
    Eigen::RowVectorXf sums = Eigen::RowVectorXf::Zero(predictions.cols());
    for (long i = 0; i < predictions.rows(); ++i) {
        auto error = predictions.row(i);
        error -= targets.row(i);
        if (shape.huber) {
            const auto size = error.array().abs();
            sums.array() += (size < 1.0f).select(0.5f * size * size, size - 0.5f);
            error = error.cwiseMax(-1.0f).cwiseMin(1.0f) * chunk.factor;
        } else {
            sums += error.cwiseAbs2();
            error *= 2 * chunk.factor;
        }
    }
    return {sums.cast<double>().sum(), (sums.array() * scales.array().square()).cast<double>().sum()};
}

// From the gradient at a layer's outputs to those at its parameters and, but for the first, at its inputs.
void backward_layer(const DenseShape& shape, int layer, const float* parameters, const ConstRows& inputs,
                    const ConstRows& upper, MutableRows& lower, float* gradient) {
    const int in = shape.sizes[layer], out = shape.sizes[layer + 1];
    MutableRows(gradient, out, in).noalias() += upper.transpose() * inputs;
    // Row by row: Eigen's column sums take another order, and give other bits, where memory is aligned differently.
    MutableRow bias(gradient + static_cast<long>(in) * out, out);
    for (long i = 0; i < upper.rows(); ++i) bias += upper.row(i);
    if (layer == 0) return;
    lower.noalias() = upper * ConstRows(parameters, out, in);
    lower = (inputs.array() > 0).select(lower, shape.leak * lower);
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
    MutableRows predictions(above, chunk.count, shape.sizes[shape.layer_count]);
    const DenseLoss loss = differentiate(shape, chunk, predictions);
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

void add(const float* x, float* y, long count) {
    Eigen::Map<Eigen::ArrayXf>(y, count) += Eigen::Map<const Eigen::ArrayXf>(x, count);
}

}  // namespace
