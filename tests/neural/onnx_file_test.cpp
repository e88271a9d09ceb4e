// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/onnx_file.h"
#include "tests/neural/networks.h"
#include "tests/neural/support.h"
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

TEST_CASE("A network that is not sound is not exported") {
    const TemporaryFolder folder;
    Network network = random_network({4, 3});
    network.layers[0].bias(1) = INFINITY;
    CHECK(contains(error_of([&] { write_onnx(folder / "a.onnx", network, ""); }, "a.onnx"), "finite"));
    CHECK(folder.names().size() == 0);
}
