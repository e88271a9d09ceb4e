// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/error_of.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"
#include "tulle/neural/network_tensors.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::neural::test {

using tulle::test::contains;
using tulle::test::Outcome;
using tulle::test::run_node;
using tulle::test::TemporaryFolder;

// Two networks, "level.1" (6-8-5) and "level.2" (4-3).
Model example_model(Activation activation = Activation::Relu);

std::string read_text(const std::filesystem::path& path);
void write_floats(const std::filesystem::path& path, const std::vector<float>& floats);

// The message of the Error that `action` must throw; it is one line and names `source`.
inline std::string error_of(const std::function<void()>& action, const std::string& source) {
    return tulle::test::error_naming(source, action);
}

inline Outcome run_python(const std::string& script, const std::string& arguments) {  // a script of this folder
    return tulle::test::run_python("neural/" + script, arguments);
}

}  // namespace tulle::neural::test
