// SPDX-License-Identifier: Apache-2.0
// One function per command: it adds its options to the command line and what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace tulle::app {

void add_train(CLI::App& app);
void add_reproduce(CLI::App& app);

}  // namespace tulle::app
