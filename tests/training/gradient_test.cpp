// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tests/training/training_samples.h"
#include "tulle/core/parallel.h"
#include "tulle/neural/fused_network.h"
#include "tulle/training/dense_kernel.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/losses.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle::training {

namespace {

struct Gradient {
    std::vector<float> numbers;
    double loss_sum;
};

Gradient gradient_by(Engine engine, const EngineSettings& settings, const SampleSet& samples, long batch) {
    const std::vector<float> parameters = parameters_of(random_network(settings.sizes, 11));
    std::vector<long> indices(static_cast<size_t>(batch));
    std::iota(indices.begin(), indices.end(), 0L);
    Gradient result{std::vector<float>(parameters.size()), 0};
    result.loss_sum = make_engine(engine, settings)->gradient(samples, indices, parameters, result.numbers).sum;
    return result;
}

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        size = std::max(size, std::abs(static_cast<double>(b[i])));
    }
    return difference / size;
}

}  // namespace

TEST_CASE("The fused gradient equals libtorch's autograd for every loss, activation and shape") {
    for (const std::vector<int>& sizes : {std::vector<int>{36, 64, 64, 64, 27}, {9, 32, 32, 9}, {3, 2}, {5, 1, 7}}) {
        const neural::Network truth = random_network(sizes, 5);
        const FunctionSource source = network_source(1000, truth, 3);
        for (const Loss loss : {Loss::Mse, Loss::Rmse, Loss::Huber})
            for (const auto activation : {neural::Activation::Relu, neural::Activation::LeakyRelu})
                for (const long batch : {1L, 127L, 1000L}) {
                    CAPTURE(sizes.size());
                    CAPTURE(to_string(loss));
                    CAPTURE(batch);
                    const EngineSettings settings{sizes, activation, loss, truth.normalisation};
                    const SampleSet samples({&source});
                    const Gradient fused = gradient_by(Engine::Fused, settings, samples, batch);
                    const Gradient torch = gradient_by(Engine::Torch, settings, samples, batch);
                    CHECK(relative_difference(fused.numbers, torch.numbers) < 1e-5);
                    CHECK(fused.loss_sum == test::near(torch.loss_sum).epsilon(1e-5));
                }
    }
}

TEST_CASE("The fused gradient has the same bits on 1, 2, 3 and 8 threads") {
    const neural::Network truth = random_network({36, 64, 64, 64, 27}, 5);
    const FunctionSource source = network_source(3000, truth, 3);
    const EngineSettings settings{truth.sizes(), truth.activation, Loss::Rmse, truth.normalisation};
    const int before = thread_count();
    set_thread_count(1);
    const Gradient expected = gradient_by(Engine::Fused, settings, SampleSet({&source}), 3000);
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        const Gradient gradient = gradient_by(Engine::Fused, settings, SampleSet({&source}), 3000);
        CHECK(gradient.numbers == expected.numbers);
        CHECK(gradient.loss_sum == expected.loss_sum);
    }
    set_thread_count(before);
}

TEST_CASE("The fused gradient has the same bits wherever its numbers are in memory") {
    const std::vector<int> sizes = {9, 32, 9};
    const std::vector<float> parameters = parameters_of(random_network(sizes, 4));
    const std::vector<float> numbers = parameters_of(random_network({50, 18}, 4));  // 900 of any kind
    const DenseShape shape{.sizes = sizes.data(), .layer_count = 2, .leak = 0, .huber = false};
    const auto gradient_at = [&](size_t shift) {
        const auto moved = [&](const std::vector<float>& values) {
            std::vector<float> copy(shift);
            copy.insert(copy.end(), values.begin(), values.end());
            return copy;
        };
        const std::vector<float> weights = moved(parameters), samples = moved(numbers);
        std::vector<float> workspace(shift + static_cast<size_t>(workspace_size(shape, 50)));
        std::vector<float> gradient(shift + parameters.size());
        const float* inputs = &samples[shift];
        const DenseChunk chunk{inputs, inputs + 450, inputs, 50, 0.01f};
        dense_kernel().gradient(shape, &weights[shift], chunk, &workspace[shift], &gradient[shift]);
        gradient.erase(gradient.begin(), gradient.begin() + static_cast<long>(shift));
        return gradient;
    };
    for (size_t shift = 1; shift < 8; ++shift) CHECK(gradient_at(shift) == gradient_at(0));
}

TEST_CASE("The portable kernel equals the one for this machine") {
    const std::vector<int> sizes = {36, 64, 27};
    const neural::Network network = random_network(sizes, 4);
    const std::vector<float> parameters = parameters_of(network);
    std::vector<float> inputs(50 * 36), targets(50 * 27), fast(parameters.size()), plain(parameters.size());
    Random random(1);
    for (float& x : inputs) x = static_cast<float>(random.uniform(-1, 1));
    for (float& x : targets) x = static_cast<float>(random.uniform(-1, 1));
    const DenseShape shape{.sizes = sizes.data(), .layer_count = 2, .leak = 0.01f, .huber = false};
    const DenseChunk chunk{inputs.data(), targets.data(), network.normalisation.output_scale.data(), 50, 0.01f};
    std::vector<float> workspace(static_cast<size_t>(workspace_size(shape, 50)));
    const DenseLoss a = dense_kernel().gradient(shape, parameters.data(), chunk, workspace.data(), fast.data());
    const DenseLoss b =
        dense_kernel_portable().gradient(shape, parameters.data(), chunk, workspace.data(), plain.data());
    CHECK(relative_difference(fast, plain) < 1e-5);
    CHECK(a.reported == test::near(b.reported).epsilon(1e-5));
}

TEST_CASE("Training, libtorch and the network at run time agree on what a network says") {
    const neural::Network network = random_network({36, 64, 64, 64, 27}, 8);
    const neural::Network truth = random_network({36, 16, 27}, 9);
    const FunctionSource source = network_source(480, truth, 3);
    const SampleSet samples({&source});
    std::vector<long> batch(480);
    std::iota(batch.begin(), batch.end(), 0L);
    const std::vector<float> parameters = parameters_of(network);
    std::vector<float> gradient(parameters.size());
    for (const Loss loss : {Loss::Mse, Loss::Rmse, Loss::Huber}) {
        const double expected = mean_loss(network, samples, loss, 480);  // through FusedNetwork
        for (const Engine engine : {Engine::Fused, Engine::Torch}) {
            const EngineSettings settings{network.sizes(), network.activation, loss, network.normalisation};
            const double sum = make_engine(engine, settings)->gradient(samples, batch, parameters, gradient).sum;
            CHECK(mean_from_sum(loss, sum, 480.0 * 27) == test::near(expected).epsilon(1e-5));
        }
    }
}

}  // namespace tulle::training
