// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/networks.h"
#include "tests/support/near.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace tulle;
using namespace tulle::neural;
using namespace tulle::neural::test;
using tulle::test::near;

namespace {

std::string refusal(const Network& network) {
    try {
        check(network, "a.safetensors");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("The reference computes a network that was worked out by hand") {
    Network network;
    network.layers.resize(2);
    network.layers[0] = {(Weights(2, 2) << 1, 2, -1, 1).finished(), Eigen::Vector2f(0.5f, -1)};
    network.layers[1] = {(Weights(1, 2) << 3, 10).finished(), Eigen::VectorXf::Constant(1, 1)};
    network.normalisation = {Eigen::Vector2f(1, 0), Eigen::Vector2f(2, 1), Eigen::VectorXf::Constant(1, 4),
                             Eigen::VectorXf::Constant(1, 0.5f)};
    // x = (3, 1) → (1, 1) → (3.5, −1) → relu (3.5, 0) → 11.5 → 9.75; leaky: 11.5 − 0.1 → 9.7
    const std::vector<float> inputs{3, 1};
    std::vector<float> outputs(1);
    evaluate_reference(network, inputs, outputs);
    CHECK(outputs[0] == near(9.75));
    network.activation = Activation::LeakyRelu;
    evaluate_reference(network, inputs, outputs);
    CHECK(outputs[0] == near(9.7).epsilon(1e-6));
}

TEST_CASE("Folding the normalisation into the layers changes nothing") {
    for (const std::vector<int>& sizes : {std::vector{36, 64, 64, 64, 27}, {9, 32, 32, 9}, {4, 3}}) {
        const Network network = random_network(sizes);
        const Network folded = fold_normalisation(network);
        const Normalisation& left = folded.normalisation;
        CHECK(left.input_mean.isZero(0));
        CHECK(left.output_mean.isZero(0));
        CHECK(left.input_scale.isOnes(0));
        CHECK(left.output_scale.isOnes(0));
        const std::vector<float> inputs = random_floats(static_cast<size_t>(20 * sizes.front()));
        std::vector<float> before(static_cast<size_t>(20 * sizes.back())), after = before;
        evaluate_reference(network, inputs, before);
        evaluate_reference(folded, inputs, after);
        for (size_t i = 0; i < before.size(); ++i) CHECK(std::abs(before[i] - after[i]) < 1e-5);
    }
}

TEST_CASE("The sizes of a network are its inputs and the outputs of every layer") {
    CHECK(random_network({36, 64, 64, 64, 27}).sizes() == std::vector{36, 64, 64, 64, 27});
}

TEST_CASE("Activations have names") {
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu})
        CHECK(parse_activation(to_string(activation)) == activation);
    CHECK_THROWS_AS(parse_activation("tanh"), Error);
}

TEST_CASE("A network that is not sound is refused with a sentence that names its source") {
    const Network sound = random_network({4, 5, 3});
    CHECK(refusal(sound) == "");
    Network network = sound;
    network.layers.clear();
    CHECK(contains(refusal(network), "a.safetensors: the network has no layers"));
    network = sound;
    network.layers[1].weights.resize(3, 6);
    network.layers[1].weights.setZero();
    CHECK(contains(refusal(network), "layer 1 has 6 inputs but layer 0 has 5 outputs"));
    network = sound;
    network.layers[0].bias.setZero(4);
    CHECK(contains(refusal(network), "5 outputs but 4 biases"));
    network = sound;
    network.layers[0].weights(1, 1) = NAN;
    CHECK(contains(refusal(network), "not a finite number"));
    network = sound;
    network.normalisation.input_scale(2) = 0;
    CHECK(contains(refusal(network), "input_scale has a zero"));
    network = sound;
    network.normalisation.output_mean.setZero(4);
    CHECK(contains(refusal(network), "output_mean has 4 numbers where the layers need 3"));
    network = sound;
    network.normalisation.output_scale(0) = INFINITY;
    CHECK(contains(refusal(network), "output_scale has a number that is not finite"));
}
