// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/network.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::neural {

namespace {

void check_layer(const DenseLayer& layer, size_t index, const std::string& source) {
    const auto& weights = layer.weights;
    if (weights.rows() < 1 || weights.cols() < 1)
        throw Error("{}: layer {} has no inputs or no outputs; train the network again", source, index);
    if (layer.bias.size() != weights.rows())
        throw Error("{}: layer {} has {} outputs but {} biases; they must be as many", source, index, weights.rows(),
                    layer.bias.size());
    if (!weights.allFinite() || !layer.bias.allFinite())
        throw Error("{}: layer {} has a weight that is not a finite number; train the network again", source, index);
}

void check_vector(const Eigen::VectorXf& values, long size, bool is_scale, const char* name,
                  const std::string& source) {
    if (values.size() != size)
        throw Error("{}: {} has {} numbers where the layers need {}", source, name, values.size(), size);
    if (!values.allFinite()) throw Error("{}: {} has a number that is not finite", source, name);
    if (is_scale && (values.array() == 0).any()) throw Error("{}: {} has a zero; a scale must not be", source, name);
}

float activate(Activation activation, float x) {
    return std::max(x, activation == Activation::Relu ? 0.0f : 0.01f * x);
}

Eigen::VectorXf evaluate_one(const Network& network, const Eigen::Map<const Eigen::VectorXf>& input) {
    const Normalisation& normalisation = network.normalisation;
    Eigen::VectorXf x = (input - normalisation.input_mean).cwiseQuotient(normalisation.input_scale);
    for (size_t k = 0; k < network.layers.size(); ++k) {
        x = network.layers[k].weights * x + network.layers[k].bias;
        if (k + 1 < network.layers.size()) x = x.unaryExpr([&](float v) { return activate(network.activation, v); });
    }
    return x.cwiseProduct(normalisation.output_scale) + normalisation.output_mean;
}

}  // namespace

std::string to_string(Activation activation) { return activation == Activation::Relu ? "relu" : "leaky_relu"; }

Activation parse_activation(const std::string& name) {
    if (name == "relu") return Activation::Relu;
    if (name == "leaky_relu") return Activation::LeakyRelu;
    throw Error("unknown activation '{}'; use relu or leaky_relu", name);
}

Normalisation Normalisation::identity(int inputs, int outputs) {
    return {Eigen::VectorXf::Zero(inputs), Eigen::VectorXf::Ones(inputs), Eigen::VectorXf::Zero(outputs),
            Eigen::VectorXf::Ones(outputs)};
}

std::vector<int> Network::sizes() const {
    std::vector<int> sizes{input_size()};
    for (const DenseLayer& layer : layers) sizes.push_back(static_cast<int>(layer.weights.rows()));
    return sizes;
}

void check(const Network& network, const std::string& source) {
    if (network.layers.empty()) throw Error("{}: the network has no layers; train it again", source);
    for (size_t k = 0; k < network.layers.size(); ++k) {
        check_layer(network.layers[k], k, source);
        if (k > 0 && network.layers[k].weights.cols() != network.layers[k - 1].weights.rows())
            throw Error("{}: layer {} has {} inputs but layer {} has {} outputs; they must be as many", source, k,
                        network.layers[k].weights.cols(), k - 1, network.layers[k - 1].weights.rows());
    }
    const Normalisation& normalisation = network.normalisation;
    check_vector(normalisation.input_mean, network.input_size(), false, "input_mean", source);
    check_vector(normalisation.input_scale, network.input_size(), true, "input_scale", source);
    check_vector(normalisation.output_mean, network.output_size(), false, "output_mean", source);
    check_vector(normalisation.output_scale, network.output_size(), true, "output_scale", source);
}

// In double precision, because a mean that is large against its scale cancels in the bias.
Network fold_normalisation(const Network& network) {
    Network folded = network;
    const Normalisation& normalisation = network.normalisation;
    DenseLayer& first = folded.layers.front();
    const Eigen::VectorXd scale = normalisation.input_scale.cast<double>().cwiseInverse();
    const Eigen::MatrixXd first_weights = first.weights.cast<double>() * scale.asDiagonal();
    first.bias = (first.bias.cast<double>() - first_weights * normalisation.input_mean.cast<double>()).cast<float>();
    first.weights = first_weights.cast<float>();
    DenseLayer& last = folded.layers.back();
    const Eigen::VectorXd output_scale = normalisation.output_scale.cast<double>();
    last.weights = (output_scale.asDiagonal() * last.weights.cast<double>()).cast<float>();
    last.bias =
        (output_scale.cwiseProduct(last.bias.cast<double>()) + normalisation.output_mean.cast<double>()).cast<float>();
    folded.normalisation = Normalisation::identity(network.input_size(), network.output_size());
    return folded;
}

void evaluate_reference(const Network& network, std::span<const float> inputs, std::span<float> outputs) {
    const long input_size = network.input_size(), output_size = network.output_size();
    const long samples = static_cast<long>(inputs.size()) / input_size;
    assert(static_cast<long>(inputs.size()) == samples * input_size);
    assert(static_cast<long>(outputs.size()) == samples * output_size);
    for (long s = 0; s < samples; ++s) {
        const Eigen::Map<const Eigen::VectorXf> input(inputs.data() + s * input_size, input_size);
        Eigen::Map<Eigen::VectorXf>(outputs.data() + s * output_size, output_size) = evaluate_one(network, input);
    }
}

}  // namespace tulle::neural
