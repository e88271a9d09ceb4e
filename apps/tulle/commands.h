// SPDX-License-Identifier: Apache-2.0
// One function per command: it adds its options to the command line and what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace tulle::app {

void add_simulate(CLI::App& app);
void add_info(CLI::App& app);
void add_render(CLI::App& app);
void add_export(CLI::App& app);
void add_demo(CLI::App& app);
void add_generate(CLI::App& app);
void add_upscale(CLI::App& app);
void add_project(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_identify(CLI::App& app);
void add_garment(CLI::App& app);
void add_textile(CLI::App& app);
void add_view(CLI::App& app);
void add_train(CLI::App& app);  // and reproduce

}  // namespace tulle::app
