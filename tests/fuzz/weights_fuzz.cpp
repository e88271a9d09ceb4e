// SPDX-License-Identifier: Apache-2.0
// weights_fuzz N: reads N weights files that were damaged at random, the same ones every time. Each must be read or be
// refused with an Error of one line; whatever is read must be a network that can be evaluated. Anything else ends the
// program with the number of the input; `weights_fuzz N FIRST` begins there.
#include "tests/fuzz/mutations.h"
#include "tests/neural/image_networks.h"
#include "tests/neural/networks.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/error.h"
#include "tulle/neural/fused_image_network.h"
#include "tulle/neural/fused_network.h"
#include "tulle/neural/image_tensors.h"
#include "tulle/neural/network_tensors.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>

using namespace tulle;
using namespace tulle::neural;

namespace {

constexpr int image_height = 4, image_width = 8;

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string written(const Model& model) {
    const tulle::test::TemporaryFolder folder;
    write_model(folder / "a", model);
    return bytes_of(folder / "a");
}

std::string written(const ImageNetwork& network) {
    const tulle::test::TemporaryFolder folder;
    WeightsFile file{.source = {}, .card = "{}", .tensors = {}};
    add_tensors(network, file);
    write_weights(folder / "a", file);
    return bytes_of(folder / "a");
}

std::vector<std::string> sound_files() {
    const auto network = [](const std::vector<int>& sizes, Activation activation) {
        return neural::test::random_network(sizes, activation);
    };
    return {
        written({"{}", {{"a", network({2, 3}, Activation::Relu)}}}),
        written({R"({"method":"x","nested":{"list":[1,2,{"a":null}]}})",
                 {{"level.1", network({3, 4, 2}, Activation::LeakyRelu)},
                  {"level.2", network({5, 1, 2, 3}, Activation::LeakyRelu)}}}),
        written(neural::test::random_image_network(
            {.inputs = 3, .first_height = image_height / 4, .first_width = image_width / 4, .channels = {2, 3, 1}}))};
}

void try_image_network(WeightsFile file) {
    TensorTaker taker(std::move(file));
    const ImageNetwork network = take_image_network(taker, image_height, image_width, "fuzz.safetensors");
    const std::vector<float> input(static_cast<size_t>(network.input_size()), 0.5f);
    std::vector<float> image(static_cast<size_t>(network.output_size()));
    FusedImageNetwork(network).evaluate(input, image);
    taker.check_nothing_is_left();
}

// Whether the file was read.
bool try_file(const std::string& bytes) {
    try {
        WeightsFile file = parse_weights(std::as_bytes(std::span(bytes)), "fuzz.safetensors");
        if (file.tensors.contains("dense.weight")) {
            try_image_network(std::move(file));
            return true;
        }
        const Model model = model_of(std::move(file));
        for (const auto& [name, network] : model.networks) {
            const std::vector<float> inputs(static_cast<size_t>(network.input_size()), 0.5f);
            std::vector<float> outputs(static_cast<size_t>(network.output_size()));
            FusedNetwork(network).evaluate(inputs, outputs);
        }
        return true;
    } catch (const Error& error) {
        const std::string message = error.what();
        if (!message.starts_with("fuzz.safetensors") || message.find('\n') != std::string::npos || message.size() > 500)
            throw std::logic_error("a message is not one sentence: " + message);
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 2000, first = argc > 2 ? std::atol(argv[2]) : 0;
    const std::vector<std::string> sound = sound_files();
    long read = 0;
    for (long i = first; i < first + count; ++i) {
        Random random(static_cast<std::uint64_t>(i));
        const std::string bytes = fuzz::damaged(sound[random.bits() % sound.size()], random);
        try {
            read += try_file(bytes);
        } catch (const std::exception& error) {
            fmt::print(stderr, "input {}: {}\n", i, error.what());
            return 1;
        }
    }
    fmt::print("{} damaged files: {} read, {} refused\n", count, read, count - read);
}
