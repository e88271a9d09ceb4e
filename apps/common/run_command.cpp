// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_command.h"

#include "apps/common/print_text.h"
#include "tulle/scene/nearest.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

namespace tulle::app {

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

// CLI11 only says that there must be a command. All of ours come first.
void require_known_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    const std::string word = argv[1];
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    throw CLI::ValidationError("there is no command '" + word + "'" + scene::suggestion(word, names));
}

}  // namespace

void limit_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    setenv("GOMP_SPINCOUNT", "10000", 0);
    execv("/proc/self/exe", argv);  // returns only if it failed; then we go on as we are
}

int run_command(CLI::App& app, int argc, char** argv) {
    const std::string& name = app.get_name();
    try {
        require_known_command(app, argc, argv);
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::RuntimeError& stop) {  // a command has said why already
        return stop.get_exit_code();
    } catch (const CLI::ParseError& error) {
        print_text(stderr, "{}: {}\n", name, error.what());
        print_text(stderr, "try `{} --help`\n", name);
        return bad_usage;
    } catch (const std::bad_alloc&) {
        print_text(stderr, "{}: there is not enough memory for this; use a smaller cloth\n", name);
        return failed;
    } catch (const std::exception& error) {
        print_text(stderr, "{}: {}\n", name, error.what());
        return failed;
    }
}

}  // namespace tulle::app
