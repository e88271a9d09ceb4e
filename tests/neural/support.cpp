// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/support.h"

#include "tests/neural/networks.h"

#include <fstream>
#include <iterator>

namespace tulle::neural::test {

namespace fs = std::filesystem;

Model example_model(Activation activation) {
    Model model{R"({"method":"miniature","activation":")" + to_string(activation) + R"(","süß":[1,{"a":2.5}]})", {}};
    model.networks["level.1"] = random_network({6, 8, 5}, activation, 3);
    model.networks["level.2"] = random_network({4, 3}, activation, 4);
    return model;
}

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_floats(const fs::path& path, const std::vector<float>& floats) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(floats.data()), static_cast<long>(floats.size() * sizeof(float)));
}

}  // namespace tulle::neural::test
