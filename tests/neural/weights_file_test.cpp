// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/networks.h"
#include "tests/neural/support.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace tulle;
using namespace tulle::neural;
using namespace tulle::neural::test;
namespace fs = std::filesystem;

namespace {

void check_same(const Network& read, const Network& written) {
    CHECK(read.activation == written.activation);
    REQUIRE(read.sizes() == written.sizes());
    for (size_t k = 0; k < read.layers.size(); ++k) {
        CHECK(read.layers[k].weights == written.layers[k].weights);
        CHECK(read.layers[k].bias == written.layers[k].bias);
    }
    CHECK(read.normalisation.input_mean == written.normalisation.input_mean);
    CHECK(read.normalisation.input_scale == written.normalisation.input_scale);
    CHECK(read.normalisation.output_mean == written.normalisation.output_mean);
    CHECK(read.normalisation.output_scale == written.normalisation.output_scale);
}

}  // namespace

TEST_CASE("A model file gives back the card and every bit of its networks") {
    const TemporaryFolder folder;
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu}) {
        const Model written = example_model(activation);
        write_model(folder / "a.safetensors", written);
        const Model read = read_model(folder / "a.safetensors");
        CHECK(read.card == written.card);
        REQUIRE(read.networks.size() == 2);
        for (const auto& [name, network] : written.networks) check_same(read.networks.at(name), network);
        CHECK(folder.names().size() == 1);
    }
}

TEST_CASE("A network of more than ten layers comes back in order") {
    const TemporaryFolder folder;
    const Model written{"{}", {{"deep", random_network({2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 4})}}};
    write_model(folder / "a.safetensors", written);
    check_same(read_model(folder / "a.safetensors").networks.at("deep"), written.networks.at("deep"));
}

TEST_CASE("A card that does not name the activation gets it when it is written") {
    const TemporaryFolder folder;
    const Model model{R"({"method":"x"})", {{"a", random_network({2, 3}, Activation::LeakyRelu)}}};
    write_model(folder / "a.safetensors", model);
    CHECK(read_model(folder / "a.safetensors").card == R"({"method":"x","activation":"leaky_relu"})");
}

TEST_CASE("NumPy reads a model file by the specification of safetensors and computes the same outputs") {
    const TemporaryFolder folder;
    const fs::path file = folder / "a.safetensors";
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu}) {
        const Model model = example_model(activation);
        write_model(file, model);
        for (const auto& [name, network] : model.networks) {
            const std::vector<float> inputs = random_floats(static_cast<size_t>(50 * network.input_size()));
            std::vector<float> outputs(static_cast<size_t>(50 * network.output_size()));
            evaluate_reference(network, inputs, outputs);
            write_floats(folder / "x", inputs);
            write_floats(folder / "y", outputs);
            const Outcome outcome =
                run_python("read_weights.py",
                           file.string() + " " + name + " " + (folder / "x").string() + " " + (folder / "y").string());
            CAPTURE(outcome.output);
            CHECK(outcome.exit_code == 0);
            CHECK(outcome.output == "50 samples are the same\n");
        }
    }
}

TEST_CASE("A model that is not sound is not written") {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.safetensors";
    const auto refusal = [&](const Model& model) {
        const std::string message = error_of([&] { write_model(path, model); }, "a.safetensors");
        CHECK(folder.names().size() == 0);
        return message;
    };
    Model model = example_model();
    model.networks["level.1"].layers[0].weights(0, 0) = NAN;
    CHECK(contains(refusal(model), "level.1"));
    CHECK(contains(refusal({"{}", {}}), "no network"));
    CHECK(contains(refusal({"{", example_model().networks}), "not valid JSON"));
    CHECK(contains(refusal({"[]", example_model().networks}), "not a JSON object"));
    CHECK(contains(refusal({R"({"activation":"leaky_relu"})", example_model().networks}), "another activation"));
    CHECK(contains(refusal({"{}", {{"../a", random_network({2, 3})}}}), "no name for a network"));
    model = example_model();
    model.networks["level.1"].activation = Activation::LeakyRelu;
    CHECK(contains(refusal(model), "share one activation"));
}

TEST_CASE("A weights file that is not there, a folder and what is no weights file are refused") {
    const TemporaryFolder folder;
    CHECK(contains(error_of([&] { read_model(folder / "no.safetensors"); }, "no.safetensors"), "there is no"));
    CHECK(contains(error_of([&] { read_model(folder / "."); }, "tulle-test-"), "not a file"));
    std::ofstream(folder / "recipe.toml") << "method = 'miniature'";
    CHECK(contains(error_of([&] { write_model(folder / "recipe.toml", example_model()); }, "recipe.toml"),
                   "is not a weights file"));
    error_of([&] { write_model(folder / "recipe.toml/a.safetensors", example_model()); }, "a.safetensors");
    CHECK_NOTHROW(write_model(folder / "new/a.safetensors", example_model()));
    CHECK_NOTHROW(write_model(folder / "new/a.safetensors", example_model()));
}

TEST_CASE("Tensors of any names and shapes come back as they were written, with their card") {
    const TemporaryFolder folder;
    const WeightsFile written{.source = {},
                              .card = R"({"method":"force_cell"})",
                              .tensors = {{"alpha", {{12}, std::vector<float>(12, 0.5f)}},
                                          {"exact", {{2}, {}, {0.1, 1e-300}}},
                                          {"filters", {{2, 3, 3, 3}, random_floats(54)}},
                                          {"scale", {{}, {2.5f}}}}};
    write_weights(folder / "a.safetensors", written);
    const WeightsFile read = read_weights(folder / "a.safetensors");
    CHECK(read.card == written.card);
    REQUIRE(read.tensors.size() == 4);
    for (const auto& [name, tensor] : written.tensors) {
        CHECK(read.tensors.at(name).shape == tensor.shape);
        CHECK(read.tensors.at(name).values == tensor.values);
        CHECK(read.tensors.at(name).doubles == tensor.doubles);
    }
    CHECK(contains(error_of([&] { read_model(folder / "a.safetensors"); }, "a.safetensors"), "no dense network"));
}

TEST_CASE("Tensors that do not fit their shape, or are not finite, are not written") {
    const TemporaryFolder folder;
    const auto refusal = [&](const Tensor& tensor) {
        const std::string message = error_of(
            [&] {
                write_weights(folder / "a.safetensors", {.source = {}, .card = "{}", .tensors = {{"a", tensor}}});
            },
            "a.safetensors");
        CHECK(folder.names().empty());
        return message;
    };
    CHECK(contains(refusal({{2, 3}, std::vector<float>(5)}), "do not fit its shape"));
    CHECK(contains(refusal({{1}, {NAN}}), "not finite"));
    CHECK(contains(refusal({{1}, {}, {INFINITY}}), "not finite"));
    CHECK(contains(refusal({{2}, {1}, {1}}), "do not fit its shape"));
}
