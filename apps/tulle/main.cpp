// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_command.h"
#include "apps/tulle/commands.h"
#include "tulle/core/keep_freed_memory.h"
#include "tulle/core/version.h"

int main(int argc, char** argv) {
    tulle::keep_freed_memory();
    tulle::app::limit_spinning(argv);
    CLI::App app{"Tulle: fast, trustworthy cloth simulation.", "tulle"};
    app.footer(
        "example: tulle simulate scenes/flag.toml --method admm -o out/flag.h5\n"
        "`tulle COMMAND --help` explains each command.");
    app.set_version_flag("--version", std::string("tulle ") + tulle::version);
    app.require_subcommand(1);
    tulle::app::add_simulate(app);
    tulle::app::add_view(app);
    tulle::app::add_info(app);
    tulle::app::add_render(app);
    tulle::app::add_export(app);
    tulle::app::add_demo(app);
    tulle::app::add_generate(app);
    tulle::app::add_upscale(app);
    tulle::app::add_project(app);
    tulle::app::add_garment(app);
    tulle::app::add_evaluate(app);
    tulle::app::add_identify(app);
    tulle::app::add_textile(app);
    tulle::app::add_train(app);
    return tulle::app::run_command(app, argc, argv);
}
