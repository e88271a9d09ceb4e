// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/onnx_file.h"
#include "tests/neural/image_networks.h"
#include "tests/neural/networks.h"
#include "tests/neural/support.h"
#include "tulle/neural/fused_image_network.h"
#include "tulle/neural/fused_network.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle::neural;
using namespace tulle::neural::test;
namespace fs = std::filesystem;

namespace {

const std::vector<std::vector<int>> exported_sizes = {{36, 64, 64, 64, 27}, {9, 32, 32, 9}, {3, 2}};

}  // namespace

TEST_CASE("The checker of the onnx package accepts an exported network") {
    const TemporaryFolder folder;
    const fs::path file = folder / "a.onnx";
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu})
        for (const std::vector<int>& sizes : exported_sizes) {
            write_onnx(file, random_network(sizes, activation), "süß");
            const Outcome outcome = run_python("check_onnx.py", file.string() + " " + std::to_string(sizes.front()) +
                                                                    " " + std::to_string(sizes.back()));
            CAPTURE(outcome.output);
            CHECK(outcome.exit_code == 0);
            CHECK(outcome.output == "the model is sound\n");
        }
    CHECK(folder.names().size() == 1);
}

TEST_CASE("ONNX Runtime computes what the fused network computes") {
    const TemporaryFolder folder;
    const fs::path file = folder / "a.onnx";
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu})
        for (const std::vector<int>& sizes : exported_sizes) {
            const Network network = random_network(sizes, activation);
            const std::vector<float> inputs = random_floats(static_cast<size_t>(70 * sizes.front()));
            std::vector<float> outputs(static_cast<size_t>(70 * sizes.back()));
            FusedNetwork(network).evaluate(inputs, outputs);
            write_onnx(file, network, "");
            write_floats(folder / "x", inputs);
            write_floats(folder / "y", outputs);
            const Outcome outcome =
                run_node("run_onnx.mjs", file.string() + " " + (folder / "x").string() + " " + (folder / "y").string());
            CAPTURE(outcome.output);
            CHECK(outcome.exit_code == 0);
            CHECK(outcome.output == "70 samples are the same\n");
        }
}

TEST_CASE("An exported image network is accepted by the checker, and ONNX Runtime computes what it computes") {
    const TemporaryFolder folder;
    const fs::path file = folder / "a.onnx";
    const std::vector<ImageSizes> all_sizes = {
        {.inputs = 90, .first_height = 4, .first_width = 4, .channels = {16, 8, 6}},
        {.inputs = 3, .first_height = 2, .first_width = 5, .channels = {2, 1}}};
    for (const ImageSizes& sizes : all_sizes) {
        const ImageNetwork network = random_image_network(sizes);
        write_onnx(file, network, "süß");
        const Outcome checked =
            run_python("check_onnx.py", fmt::format("{} {} {} {} {}", file.string(), sizes.inputs, network.channels(),
                                                    network.height(), network.width()));
        CAPTURE(checked.output);
        CHECK(checked.output == "the model is sound\n");
        const std::vector<float> inputs = random_floats(static_cast<size_t>(3 * sizes.inputs));
        std::vector<float> outputs(static_cast<size_t>(3 * network.output_size()));
        const FusedImageNetwork fused(network);
        for (long k = 0; k < 3; ++k)
            fused.evaluate(
                std::span(inputs).subspan(static_cast<size_t>(k * sizes.inputs), static_cast<size_t>(sizes.inputs)),
                std::span(outputs).subspan(static_cast<size_t>(k * network.output_size()),
                                           static_cast<size_t>(network.output_size())));
        write_floats(folder / "x", inputs);
        write_floats(folder / "y", outputs);
        const Outcome run =
            run_node("run_onnx.mjs", file.string() + " " + (folder / "x").string() + " " + (folder / "y").string());
        CAPTURE(run.output);
        CHECK(run.output == "3 samples are the same\n");
    }
}

TEST_CASE("A network that is not sound is not exported") {
    const TemporaryFolder folder;
    Network network = random_network({4, 3});
    network.layers[0].bias(1) = INFINITY;
    CHECK(contains(error_of([&] { write_onnx(folder / "a.onnx", network, ""); }, "a.onnx"), "finite"));
    CHECK(folder.names().size() == 0);
}
