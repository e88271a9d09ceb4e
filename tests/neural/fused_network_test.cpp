// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/fused_network.h"
#include "tests/neural/networks.h"
#include "tulle/core/parallel.h"
#include "tulle/neural/network_kernel.h"
#include "tulle/neural/packed_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace tulle;
using namespace tulle::neural;
using namespace tulle::neural::test;

namespace {

std::vector<float> reference(const Network& network, const std::vector<float>& inputs) {
    std::vector<float> outputs(inputs.size() / static_cast<size_t>(network.input_size()) *
                               static_cast<size_t>(network.output_size()));
    evaluate_reference(network, inputs, outputs);
    return outputs;
}

// The largest difference, relative to the largest output.
double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
    REQUIRE(a.size() == b.size());
    double difference = 0, size = 1e-30;
    for (size_t i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(a[i]) - b[i]));
        size = std::max(size, std::abs(static_cast<double>(b[i])));
    }
    return difference / size;
}

std::vector<float> evaluate_with(const NetworkKernels& kernels, const Network& network,
                                 const std::vector<float>& inputs) {
    const PackedWeights weights(network);
    const long samples = static_cast<long>(inputs.size()) / weights.input_size();
    std::vector<float> outputs(static_cast<size_t>(samples * weights.output_size()));
    std::vector<float> scratch(weights.scratch_floats());
    kernels.evaluate(weights.view(), inputs.data(), outputs.data(), samples, scratch.data());
    return outputs;
}

const std::vector<std::vector<int>> shipped_sizes = {
    {36, 64, 64, 64, 27}, {9, 32, 32, 9}, {48, 64, 64, 64, 27}, {48, 64, 64, 64, 75}, {18, 32, 32, 9}};

}  // namespace

TEST_CASE("The fused network equals the reference for every number of samples up to a tile and a half") {
    for (const std::vector<int>& sizes : shipped_sizes) {
        const Network network = random_network(sizes);
        const FusedNetwork fused(network);
        for (int samples = 0; samples <= FusedNetwork::tile * 3 / 2; ++samples) {
            const std::vector<float> inputs = random_floats(static_cast<size_t>(samples * sizes.front()));
            std::vector<float> outputs(static_cast<size_t>(samples * sizes.back()), NAN);
            fused.evaluate(inputs, outputs);
            CAPTURE(samples);
            CHECK(relative_difference(outputs, reference(network, inputs)) < 1e-5);
        }
    }
}

TEST_CASE("The fused network equals the reference for odd widths, with either activation") {
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu})
        for (int width = 1; width <= 35; ++width) {
            const Network network = random_network({width, 36 - width, width + 1, 2 * width - 1}, activation);
            const std::vector<float> inputs = random_floats(static_cast<size_t>(31 * width));
            std::vector<float> outputs(static_cast<size_t>(31 * network.output_size()));
            FusedNetwork(network).evaluate(inputs, outputs);
            CAPTURE(width);
            CHECK(relative_difference(outputs, reference(network, inputs)) < 1e-5);
        }
}

TEST_CASE("A network wider than the scratch on the stack and one of a single layer equal the reference") {
    for (const std::vector<int>& sizes : {std::vector{300, 200, 7}, {5, 3}, {130, 129}}) {
        const Network network = random_network(sizes);
        const std::vector<float> inputs = random_floats(static_cast<size_t>(50 * sizes.front()));
        std::vector<float> outputs(static_cast<size_t>(50 * sizes.back()));
        FusedNetwork(network).evaluate(inputs, outputs);
        CHECK(relative_difference(outputs, reference(network, inputs)) < 1e-5);
    }
}

TEST_CASE("The AVX2 kernel equals the portable one") {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
    for (const std::vector<int>& sizes : shipped_sizes)
        for (const Activation activation : {Activation::Relu, Activation::LeakyRelu}) {
            const Network network = random_network(sizes, activation);
            const std::vector<float> inputs = random_floats(static_cast<size_t>(67 * sizes.front()));
            CHECK(relative_difference(evaluate_with(avx2_network_kernels, network, inputs),
                                      evaluate_with(portable_network_kernels, network, inputs)) < 1e-5);
        }
}

TEST_CASE("A sample has the same bits in every place of a tile and with any others") {
    for (const std::vector<int>& sizes : shipped_sizes) {
        const FusedNetwork fused(random_network(sizes));
        const auto inputs_of = static_cast<size_t>(fused.input_size()),
                   outputs_of = static_cast<size_t>(fused.output_size());
        const std::vector<float> inputs = random_floats(40 * inputs_of);
        std::vector<float> together(40 * outputs_of), alone(outputs_of);
        fused.evaluate(inputs, together);
        for (size_t s = 0; s < 40; ++s) {
            fused.evaluate_tile(inputs.data() + s * inputs_of, alone.data(), 1);
            CHECK(std::equal(alone.begin(), alone.end(), together.data() + s * outputs_of));
        }
    }
}

TEST_CASE("A tile kept feature by feature has the same bits as rows of samples, with one layer or several") {
    for (const std::vector<int>& sizes : {std::vector<int>{5, 7}, {9, 32, 9}, {9, 32, 32, 9}, {48, 64, 64, 64, 27}}) {
        const FusedNetwork fused(random_network(sizes));
        constexpr size_t tile = FusedNetwork::tile;
        const auto inputs_of = static_cast<size_t>(sizes.front()), outputs_of = static_cast<size_t>(sizes.back());
        const std::vector<float> inputs = random_floats(tile * inputs_of);
        std::vector<float> outputs(tile * outputs_of), input_lanes(inputs.size()), output_lanes(outputs.size());
        for (size_t s = 0; s < tile; ++s)
            for (size_t i = 0; i < inputs_of; ++i) input_lanes[i * tile + s] = inputs[s * inputs_of + i];
        fused.evaluate_tile(inputs.data(), outputs.data(), tile);
        fused.evaluate_lanes(input_lanes.data(), output_lanes.data());
        for (size_t s = 0; s < tile; ++s)
            for (size_t o = 0; o < outputs_of; ++o) CHECK(output_lanes[o * tile + s] == outputs[s * outputs_of + o]);
    }
}

TEST_CASE("The fused network has the same bits on 1, 2 and 3 threads") {
    const int before = thread_count();
    for (const std::vector<int>& sizes : shipped_sizes) {
        const FusedNetwork fused(random_network(sizes));
        for (const size_t samples : {864, 7001}) {
            const std::vector<float> inputs = random_floats(samples * static_cast<size_t>(sizes.front()));
            std::vector<std::vector<float>> outputs;
            for (const int threads : {1, 2, 3}) {
                set_thread_count(threads);
                outputs.emplace_back(samples * static_cast<size_t>(sizes.back()));
                fused.evaluate(inputs, outputs.back());
            }
            CHECK(outputs[0] == outputs[1]);
            CHECK(outputs[0] == outputs[2]);
        }
    }
    set_thread_count(before);
}

TEST_CASE("The fused network does not write beyond the samples it was given") {
    const FusedNetwork fused(random_network({9, 32, 32, 9}));
    for (int samples = 0; samples <= FusedNetwork::tile; ++samples) {
        const std::vector<float> inputs = random_floats(static_cast<size_t>(9 * samples));
        std::vector<float> outputs(9 * 26, 123.0f);
        fused.evaluate_tile(inputs.data(), outputs.data(), samples);
        CHECK(std::all_of(outputs.begin() + 9 * samples, outputs.end(), [](float value) { return value == 123.0f; }));
    }
}

TEST_CASE("An input that is not a number gives outputs that are not, so that it is noticed") {
    const Network network = random_network({9, 32, 32, 9});
    std::vector<float> inputs = random_floats(9), outputs(9);
    inputs[3] = NAN;
    FusedNetwork(network).evaluate(inputs, outputs);
    for (const float value : outputs) CHECK(std::isnan(value));
}
