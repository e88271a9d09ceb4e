// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace tulle::app {

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

}  // namespace

void limit_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    setenv("GOMP_SPINCOUNT", "10000", 0);
    execv("/proc/self/exe", argv);  // returns only if it failed; then we go on as we are
}

int run_command(CLI::App& app, int argc, char** argv) {
    const std::string& name = app.get_name();
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::RuntimeError& stop) {  // a command has said why already
        return stop.get_exit_code();
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        fmt::print(stderr, "try `{} --help`\n", name);
        return bad_usage;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{}: there is not enough memory for this; use a smaller cloth\n", name);
        return failed;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return failed;
    }
}

}  // namespace tulle::app
