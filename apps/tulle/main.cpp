// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/commands.h"
#include "tulle/core/error.h"
#include "tulle/core/version.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

// OpenMP's idle threads spin for milliseconds by default. On a busy machine that keeps the thread they wait for from
// running, and frames take ten times as long. The run time reads the setting when it is loaded, so the program starts
// itself again with it, unless the user has set one.
void limit_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    setenv("GOMP_SPINCOUNT", "10000", 0);
    execv("/proc/self/exe", argv);  // returns only if it failed; then we go on as we are
}

}  // namespace

int main(int argc, char** argv) {
    limit_spinning(argv);
    CLI::App app{"Tulle: fast, trustworthy cloth simulation."};
    app.footer(
        "example: tulle simulate scenes/flag.toml --method admm -o out/flag.h5\n"
        "`tulle COMMAND --help` explains each command.");
    app.set_version_flag("--version", std::string("tulle ") + tulle::version);
    app.require_subcommand(1);
    tulle::app::add_simulate(app);
    tulle::app::add_info(app);
    tulle::app::add_render(app);
    tulle::app::add_export(app);
    tulle::app::add_demo(app);
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::RuntimeError& stop) {  // a command has said why already
        return stop.get_exit_code();
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "tulle: {}\n", error.what());
        fmt::print(stderr, "try `tulle --help`\n");
        return bad_usage;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "tulle: there is not enough memory for this; use a smaller cloth\n");
        return failed;
    } catch (const std::exception& error) {
        fmt::print(stderr, "tulle: {}\n", error.what());
        return failed;
    }
}
