// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle-train/commands.h"
#include "tulle/core/error.h"

namespace tulle::app {

void add_reproduce(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reproduce", "Make data, train and evaluate as a recipe says");
    command->callback([] { throw Error("`reproduce` is not there yet"); });
}

}  // namespace tulle::app
