// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/weights_file.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::neural::test {

// A folder for one test, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    size_t file_count() const;

private:
    std::filesystem::path path_;
};

// Two networks, "level.1" (6-8-5) and "level.2" (4-3).
Model example_model(Activation activation = Activation::Relu);

std::string read_text(const std::filesystem::path& path);
void write_floats(const std::filesystem::path& path, const std::vector<float>& floats);

// The message of the Error that `action` must throw; it is one line and names `source`.
std::string error_of(const std::function<void()>& action, const std::string& source);

struct Outcome {
    int exit_code = 0;
    std::string output;  // standard output and error
};
Outcome run_python(const std::string& script, const std::string& arguments);  // a script of this folder
Outcome run_node(const std::string& script, const std::string& arguments);    // a script of tests/interop

bool contains(const std::string& text, const std::string& part);

}  // namespace tulle::neural::test
