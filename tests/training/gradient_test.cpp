// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/symmetries.h"
#include "tests/support/near.h"
#include "tests/training/training_samples.h"
#include "tulle/core/parallel.h"
#include "tulle/neural/fused_network.h"
#include "tulle/training/dense_kernel.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/losses.h"
#include "tulle/training/relative_loss.h"

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

TEST_CASE("The fused gradient of the relative loss equals libtorch's") {
    const neural::Symmetry symmetry = neural::test::triangle_like();
    const neural::Network network = neural::test::symmetric_network(symmetry, {24, 36}, 5);
    const std::vector<int> sizes = network.sizes();
    const std::vector<float> parameters = parameters_of(network);
    const FunctionSource source(300, 7, 7, 3, [](std::span<const float> x, std::span<float> y) {
        for (size_t i = 0; i < 5; ++i) y[i] = 0.3f * x[i] * x[6] + 0.1f * x[(i + 1) % 5];
        y[5] = 0.5f + x[0] * x[0];  // the weight
        y[6] = 0;
    });
    const SampleSet samples({&source});
    std::vector<long> batch(300);
    std::iota(batch.begin(), batch.end(), 0L);
    const EngineSettings settings{sizes, network.activation, Loss::Relative, network.normalisation};
    std::vector<float> plain(parameters.size()), torch(parameters.size());
    const double sum = make_fused_engine(settings)->gradient(samples, batch, parameters, plain).sum;
    CHECK(make_torch_engine(settings)->gradient(samples, batch, parameters, torch).sum ==
          test::near(sum).epsilon(1e-5));
    CHECK(relative_difference(plain, torch) < 1e-5);
    CHECK(mean_from_sum(Loss::Relative, sum, 300.0 * 7) ==
          test::near(mean_loss(network, samples, Loss::Relative, 300)).epsilon(1e-5));
}

TEST_CASE("Block by block the gradient is that of the whole network, as far as the mirrors allow") {
    // The last two outputs are heads, which no element changes: here outputs are the inputs' first six and two more.
    neural::Symmetry symmetry = neural::test::triangle_like();
    for (neural::SignedPermutation& action : symmetry.outputs) {
        action.from.back() = 6;
        action.push_back(7, 1);
    }
    const neural::Network network = neural::test::symmetric_network(symmetry, {24, 36}, 5);
    const std::vector<float> parameters = parameters_of(network);
    const FunctionSource source(300, 7, 8, 3, [](std::span<const float> x, std::span<float> y) {
        for (size_t i = 0; i < 6; ++i) y[i] = 0.3f * x[i] * x[6] + 0.1f * x[(i + 1) % 5];
        y[6] = 0.5f + x[0] * x[0];
        y[7] = 0;
    });
    const SampleSet samples({&source});
    std::vector<long> batch(300);
    std::iota(batch.begin(), batch.end(), 0L);
    EngineSettings settings{network.sizes(), network.activation, Loss::Relative, network.normalisation};
    std::vector<float> whole(parameters.size()), blocks(parameters.size());
    const double sum = make_fused_engine(settings)->gradient(samples, batch, parameters, whole).sum;
    settings.symmetry = symmetry;
    CHECK(make_fused_engine(settings)->gradient(samples, batch, parameters, blocks).sum ==
          test::near(sum).epsilon(1e-5));
    // Parts that only the symmetry leaves are equal after both are made symmetric.
    std::vector<neural::SignedPermutation> below = symmetry.inputs;
    size_t offset = 0;
    for (const neural::DenseLayer& layer : network.layers) {
        const bool is_last = &layer == &network.layers.back();
        const auto above = is_last ? symmetry.outputs : hidden_actions(symmetry, static_cast<int>(layer.bias.size()));
        const neural::Orbits orbits = find_orbits(below, above);
        const auto count = static_cast<size_t>(layer.weights.size());
        std::vector<float> a(whole.begin() + static_cast<long>(offset),
                             whole.begin() + static_cast<long>(offset + count));
        std::vector<float> b(blocks.begin() + static_cast<long>(offset),
                             blocks.begin() + static_cast<long>(offset + count));
        make_symmetric(orbits, a);
        make_symmetric(orbits, b);
        CHECK(relative_difference(b, a) < 1e-4);
        offset += count + static_cast<size_t>(layer.bias.size());
        below = above;
    }
}

TEST_CASE("The relative loss has the gradient that finite differences have") {
    const std::vector<float> targets = {0.02f, -0.01f, 0.05f, 0.7f, 0};
    const std::vector<float> said = {0.4f, -0.1f, 0.9f, -2.5f, 0.3f};
    const auto loss = [&](std::vector<float> numbers) {
        return differentiate_relative(targets.data(), 5, numbers.data());
    };
    std::vector<float> gradient = said;
    (void)differentiate_relative(targets.data(), 5, gradient.data());
    for (size_t i = 0; i < 5; ++i) {
        std::vector<float> up = said, down = said;
        up[i] += 1e-2f;
        down[i] -= 1e-2f;
        float slope = (loss(up) - loss(down)) / 2e-2f;
        // The bound is trained, but training it moves neither the answers nor their scale.
        const auto bound_only = [&](const std::vector<float>& numbers) {
            const float scale = std::exp(numbers[3]);
            float error2 = 0;
            for (size_t j = 0; j < 3; ++j) error2 += std::pow(scale * numbers[j] - targets[j], 2.0f);
            const float over = numbers[4] + numbers[3] - 0.5f * std::log(error2 / 3 + relative_floor * relative_floor);
            return relative_side_weight * std::max(0.1f * over, -0.9f * over);
        };
        if (i < 4) slope -= (bound_only(up) - bound_only(down)) / 2e-2f;
        CHECK(gradient[i] == doctest::Approx(slope).epsilon(5e-3));
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
    const DenseShape shape{.sizes = sizes.data(), .layer_count = 2, .leak = 0, .error = DenseError::Squares};
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
    const DenseShape shape{.sizes = sizes.data(), .layer_count = 2, .leak = 0.01f, .error = DenseError::Squares};
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
