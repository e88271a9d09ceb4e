// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/random.h"
#include "tulle/neural/network.h"
#include "tulle/training/parameters.h"
#include "tulle/training/sample_set.h"

#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tulle::training {

// Random inputs in [-1, 1] and what a given function says to them.
class FunctionSource : public datasets::SampleSource {
public:
    using Function = std::function<void(std::span<const float>, std::span<float>)>;

    FunctionSource(long count, int inputs, int outputs, std::uint64_t seed, Function function)
        : count_(count), inputs_(inputs), outputs_(outputs), seed_(seed), function_(std::move(function)) {}

    long count() const override { return count_; }
    int input_size() const override { return inputs_; }
    int output_size() const override { return outputs_; }
    void cut(long index, std::span<float> input, std::span<float> output) const override {
        Random random(mix(seed_) + static_cast<std::uint64_t>(index));
        for (float& x : input) x = static_cast<float>(random.uniform(-1, 1));
        function_(input, output);
        if (index == bad_sample) output[0] = std::numeric_limits<float>::quiet_NaN();
    }

    long bad_sample = -1;

private:
    long count_;
    int inputs_, outputs_;
    std::uint64_t seed_;
    Function function_;
};

// A network with random weights as the function to learn.
inline neural::Network random_network(const std::vector<int>& sizes, std::uint64_t seed,
                                      neural::Activation activation = neural::Activation::Relu) {
    neural::Normalisation normalisation = neural::Normalisation::identity(sizes.front(), sizes.back());
    Random random(seed + 1);
    for (Eigen::VectorXf* numbers : {&normalisation.input_mean, &normalisation.output_mean})
        for (float& x : *numbers) x = static_cast<float>(random.uniform(-0.3, 0.3));
    for (Eigen::VectorXf* numbers : {&normalisation.input_scale, &normalisation.output_scale})
        for (float& x : *numbers) x = static_cast<float>(random.uniform(0.5, 2));
    std::vector<float> parameters = initial_parameters(sizes, {.seed = seed});
    for (float& x : parameters) x += static_cast<float>(random.uniform(-0.1, 0.1));
    return make_network(sizes, parameters, activation, normalisation);
}

inline FunctionSource network_source(long count, const neural::Network& network, std::uint64_t seed) {
    return {count, network.input_size(), network.output_size(), seed,
            [network](std::span<const float> input, std::span<float> output) {
                neural::evaluate_reference(network, input, output);
            }};
}

// y₀ = 2x₀ − x₁ + 3, y₁ = 0.01 x₂
inline FunctionSource linear_source(long count, std::uint64_t seed) {
    return {count, 3, 2, seed, [](std::span<const float> x, std::span<float> y) {
                y[0] = 2 * x[0] - x[1] + 3;
                y[1] = 0.01f * x[2];
            }};
}

}  // namespace tulle::training
