// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace tulle::app {

// OpenMP's idle threads spin for milliseconds by default. On a busy machine that keeps the thread they wait for from
// running, and frames take ten times as long. The run time reads the setting when it is loaded, so the program starts
// itself again with it, unless the user has set one.
void limit_spinning(char** argv);

// Parses the command line, which runs the chosen command, and returns the exit code. Whatever goes wrong ends in one
// sentence on standard error: 1 for what failed, 2 for bad usage.
int run_command(CLI::App& app, int argc, char** argv);

}  // namespace tulle::app
