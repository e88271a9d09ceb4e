// SPDX-License-Identifier: Apache-2.0
// A small fully connected network, as a value. It knows neither cloth nor how it was trained.
#pragma once

#include <Eigen/Core>

#include <span>
#include <string>
#include <vector>

namespace tulle::neural {

using Weights = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // outputs×inputs

enum class Activation { Relu, LeakyRelu };  // max(x, 0), or max(x, 0.01 x)

std::string to_string(Activation activation);  // "relu", "leaky_relu"
Activation parse_activation(const std::string& name);

struct DenseLayer {
    Weights weights;       // outputs×inputs
    Eigen::VectorXf bias;  // outputs
};

// Inputs are taken to about unit size before the first layer, outputs back to their own units after the last:
// x ← (x − input_mean) / input_scale, y ← y · output_scale + output_mean.
struct Normalisation {
    Eigen::VectorXf input_mean, input_scale;    // inputs
    Eigen::VectorXf output_mean, output_scale;  // outputs

    static Normalisation identity(int inputs, int outputs);
};

// Dense layers with an activation between them, none after the last.
struct Network {
    std::vector<DenseLayer> layers;
    Activation activation = Activation::Relu;
    Normalisation normalisation;

    int input_size() const { return static_cast<int>(layers.front().weights.cols()); }
    int output_size() const { return static_cast<int>(layers.back().weights.rows()); }
    std::vector<int> sizes() const;  // 36, 64, 64, 64, 27
};

// Throws an Error that names `source` unless there is a layer, sizes fit each other, and every number is finite (and
// every scale not zero).
void check(const Network& network, const std::string& source);

// The same function with the normalisation multiplied into the first and the last layer (and identity left behind).
Network fold_normalisation(const Network& network);

// outputs (samples×output_size) from inputs (samples×input_size), row-major: written to be read, the definition of
// correct.
void evaluate_reference(const Network& network, std::span<const float> inputs, std::span<float> outputs);

}  // namespace tulle::neural
