// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_command.h"
#include "apps/tulle-train/commands.h"
#include "tulle/core/keep_freed_memory.h"
#include "tulle/core/version.h"

int main(int argc, char** argv) {
    tulle::keep_freed_memory();
    tulle::app::limit_spinning(argv);
    CLI::App app{"Trains Tulle's networks.", "tulle-train"};
    app.footer("`tulle-train COMMAND --help` explains each command.");
    app.set_version_flag("--version", std::string("tulle-train ") + tulle::version);
    app.require_subcommand(1);
    tulle::app::add_train(app);
    tulle::app::add_reproduce(app);
    return tulle::app::run_command(app, argc, argv);
}
