// SPDX-License-Identifier: Apache-2.0
// Other programs, for tests that want an independent reader.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace tulle::test {

struct Outcome {
    int exit_code = 0;
    std::string output;  // standard output and error
};

inline Outcome run(const std::string& command) {
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

// `script` in tests/. The system's Python: one from elsewhere on the path need not have its packages.
inline Outcome run_python(const std::string& script, const std::string& arguments) {
    return run("env -u LD_PRELOAD /usr/bin/python3 '" TULLE_SOURCE_DIR "/tests/" + script + "' " + arguments);
}

// `script` in tests/interop.
inline Outcome run_node(const std::string& script, const std::string& arguments) {
    if (!std::filesystem::exists(TULLE_SOURCE_DIR "/tests/interop/node_modules"))
        FAIL("the packages of tests/interop are missing; `./dev setup` installs them");
    return run("env -u LD_PRELOAD node '" TULLE_SOURCE_DIR "/tests/interop/" + script + "' " + arguments);
}

}  // namespace tulle::test
