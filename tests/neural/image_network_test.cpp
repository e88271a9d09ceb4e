// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_network.h"
#include "tests/neural/image_networks.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::neural;
using namespace tulle::neural::test;

namespace {

// One input, one channel of one pixel, one convolution.
ImageNetwork smallest() {
    return random_image_network({.inputs = 1, .first_height = 1, .first_width = 1, .channels = {1, 1}});
}

}  // namespace

TEST_CASE("A transposed convolution of one pixel shows the middle of its kernel") {
    ImageNetwork network = smallest();
    network.input_mean << 0;
    network.input_scale << 1;
    network.dense.weights << 2;
    network.dense.bias << 1;
    network.layers.front().bias << 10;
    for (size_t k = 0; k < 16; ++k) network.layers.front().weights[k] = static_cast<float>(k);
    std::vector<float> image(4);
    evaluate_reference(network, std::vector<float>{1.0f}, image);
    CHECK(image == std::vector<float>{10 + 3 * 5, 10 + 3 * 6, 10 + 3 * 9, 10 + 3 * 10});
    evaluate_reference(network, std::vector<float>{-4.0f}, image);  // the dense layer's answer is negative
    CHECK(image == std::vector<float>{10, 10, 10, 10});
}

TEST_CASE("Inputs are normalised before the dense layer") {
    ImageNetwork network = random_image_network({.inputs = 3, .first_height = 2, .first_width = 3, .channels = {2, 2}});
    std::vector<float> plain(static_cast<size_t>(network.output_size())), shifted = plain;
    const Eigen::VectorXf input = Eigen::Vector3f(0.1f, -0.3f, 0.7f);
    evaluate_reference(network, {input.data(), 3}, plain);
    const Eigen::VectorXf normalised = (input - network.input_mean).cwiseQuotient(network.input_scale);
    network.input_mean.setZero();
    network.input_scale.setOnes();
    evaluate_reference(network, {normalised.data(), 3}, shifted);
    CHECK(plain == shifted);
    CHECK(network.height() == 4);
    CHECK(network.width() == 6);
}

TEST_CASE("An image network whose sizes do not fit or whose numbers are not finite is refused") {
    const ImageNetwork good =
        random_image_network({.inputs = 5, .first_height = 2, .first_width = 2, .channels = {4, 3, 6}});
    check(good, "file");
    const auto refused = [&](const auto& spoil) {
        ImageNetwork bad = good;
        spoil(bad);
        CHECK_THROWS_AS(check(bad, "file"), Error);
    };
    refused([](ImageNetwork& n) { n.layers.clear(); });
    refused([](ImageNetwork& n) { n.first_width = 3; });
    refused([](ImageNetwork& n) { n.first_height = 0; });
    refused([](ImageNetwork& n) { n.first_height = 2000; });
    refused([](ImageNetwork& n) { n.layers[1].inputs = 2; });
    refused([](ImageNetwork& n) { std::swap(n.layers[0], n.layers[1]); });
    refused([](ImageNetwork& n) { n.layers[0].weights.pop_back(); });
    refused([](ImageNetwork& n) { n.layers[0].weights[3] = NAN; });
    refused([](ImageNetwork& n) { n.layers[1].bias(0) = INFINITY; });
    refused([](ImageNetwork& n) { n.dense.bias(0) = NAN; });
    refused([](ImageNetwork& n) { n.input_scale(2) = 0; });
    refused([](ImageNetwork& n) { n.input_mean.resize(4); });
}
