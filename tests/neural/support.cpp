// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/support.h"

#include "tests/neural/networks.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace tulle::neural::test {

namespace fs = std::filesystem;

namespace {

Outcome run(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    Outcome outcome;
    std::array<char, 4096> buffer;
    for (size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        outcome.output.append(buffer.data(), count);
    const int status = ::pclose(pipe);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tulle-neural-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

size_t TemporaryFolder::file_count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
}

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

std::string error_of(const std::function<void()>& action, const std::string& source) {
    try {
        action();
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(contains(message, source));
        CHECK_FALSE(contains(message, "\n"));
        CHECK(message.size() < 400);
        return message;
    }
    FAIL("no Error was thrown for ", source);
    return "";
}

Outcome run_python(const std::string& script, const std::string& arguments) {
    // The system's Python: one from elsewhere on the path need not have NumPy and onnx.
    return run("env -u LD_PRELOAD /usr/bin/python3 '" TULLE_SOURCE_DIR "/tests/neural/" + script + "' " + arguments);
}

Outcome run_node(const std::string& script, const std::string& arguments) {
    if (!fs::exists(TULLE_SOURCE_DIR "/tests/interop/node_modules"))
        FAIL("the packages of tests/interop are missing; `./dev setup` installs them");
    return run("env -u LD_PRELOAD node '" TULLE_SOURCE_DIR "/tests/interop/" + script + "' " + arguments);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tulle::neural::test
