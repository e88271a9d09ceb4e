// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/fused_image_network.h"
#include "tests/neural/image_networks.h"
#include "tests/neural/networks.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::neural;
using namespace tulle::neural::test;

namespace {

const std::vector<ImageSizes> several_sizes = {
    {},
    {.inputs = 1, .first_height = 1, .first_width = 1, .channels = {1, 1}},
    {.inputs = 7, .first_height = 3, .first_width = 5, .channels = {5, 4, 3}},
    {.inputs = 9, .first_height = 2, .first_width = 9, .channels = {3, 7, 11}},
    {.inputs = 18, .first_height = 5, .first_width = 4, .channels = {8, 13, 2, 6}},
};

std::vector<float> reference(const ImageNetwork& network, const std::vector<float>& input) {
    std::vector<float> image(static_cast<size_t>(network.output_size()));
    evaluate_reference(network, input, image);
    return image;
}

std::vector<float> fused(const ImageNetwork& network, const std::vector<float>& input,
                         const ImageKernels& kernels = image_kernels()) {
    std::vector<float> image(static_cast<size_t>(network.output_size()), NAN);
    FusedImageNetwork(network, kernels).evaluate(input, image);
    return image;
}

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
    const Eigen::Map<const Eigen::VectorXf> x(a.data(), static_cast<long>(a.size())), y(b.data(), x.size());
    return static_cast<double>((x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("The fused image network equals the reference for every shape, with and without AVX2") {
    for (const ImageSizes& sizes : several_sizes) {
        const ImageNetwork network = random_image_network(sizes);
        const std::vector<float> input = random_floats(static_cast<size_t>(sizes.inputs));
        const std::vector<float> expected = reference(network, input);
        CAPTURE(sizes.inputs);
        CHECK(relative_difference(fused(network, input), expected) < 1e-5);
        CHECK(relative_difference(fused(network, input, portable_image_kernels), expected) < 1e-5);
    }
}

TEST_CASE("The fused image network gives the same bits on any number of threads") {
    const ImageNetwork network = random_image_network({});
    const std::vector<float> input = random_floats(90);
    const std::vector<float> expected = fused(network, input);
    for (const int threads : {1, 2, 3, 8}) {
        const ThreadCountScope scope(threads);
        CHECK(fused(network, input) == expected);
    }
}

TEST_CASE("A fused image network may be moved") {
    const ImageNetwork network = random_image_network({});
    const std::vector<float> input = random_floats(90);
    FusedImageNetwork first(network);
    const FusedImageNetwork second = std::move(first);
    std::vector<float> image(static_cast<size_t>(second.output_size()));
    second.evaluate(input, image);
    CHECK(image == fused(network, input));
}
