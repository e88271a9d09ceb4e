// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/image_parameters.h"

#include "tests/neural/image_networks.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace tulle;
using namespace tulle::neural;

TEST_CASE("Parameters of an image network are its numbers, and make the same network again") {
    const ImageNetwork network =
        test::random_image_network({.inputs = 7, .first_height = 3, .first_width = 5, .channels = {4, 3, 2}});
    const std::vector<float> parameters = parameters_of(network);
    CHECK(static_cast<long>(parameters.size()) == parameter_count(network));
    CHECK(parameter_count(network) == 4 * 15 * 8 + 16 * 12 + 3 + 16 * 6 + 2);
    ImageNetwork other = random_image_network(sizes_of(network), 9);
    set_parameters(parameters, other);
    CHECK(parameters_of(other) == parameters);
    CHECK(other.layers.back().bias == network.layers.back().bias);
}

TEST_CASE("A random image network answers near zero, and another seed gives another one") {
    const ImageNetwork network = random_image_network({.inputs = 90}, 1);
    const std::vector<float> input(90, 1.0f);
    std::vector<float> image(static_cast<size_t>(network.output_size()));
    evaluate_reference(network, input, image);
    const float square = std::inner_product(image.begin(), image.end(), image.begin(), 0.0f);
    const double size = std::sqrt(square / static_cast<float>(image.size()));
    CHECK(size < 0.05);
    CHECK(size > 0.001);
    CHECK(parameters_of(network) == parameters_of(random_image_network({.inputs = 90}, 1)));
    CHECK(parameters_of(network) != parameters_of(random_image_network({.inputs = 90}, 2)));
}
