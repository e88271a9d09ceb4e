// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/open_browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

namespace tulle::app {

void open_browser(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    posix_spawn_file_actions_t quietly;
    posix_spawn_file_actions_init(&quietly);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&quietly, stream, "/dev/null", O_RDWR, 0);
    std::string program = "xdg-open", argument = address;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    // Whether it succeeds does not matter: the address was printed.
    static_cast<void>(posix_spawnp(&child, program.c_str(), &quietly, nullptr, arguments, environ));
    posix_spawn_file_actions_destroy(&quietly);
}

}  // namespace tulle::app
