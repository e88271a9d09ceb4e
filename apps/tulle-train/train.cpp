// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle-train/commands.h"
#include "tulle/core/error.h"

namespace tulle::app {

void add_train(CLI::App& app) {
    CLI::App* command = app.add_subcommand("train", "Train the networks of a recipe");
    command->callback([] { throw Error("`train` is not there yet"); });
}

}  // namespace tulle::app
