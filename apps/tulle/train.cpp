// SPDX-License-Identifier: Apache-2.0
// `tulle train` and `tulle reproduce` are done by tulle-train, which alone needs libtorch: this program stays small.
#include "apps/tulle/commands.h"
#include "tulle/core/error.h"

#include <unistd.h>

#include <filesystem>
#include <memory>

namespace tulle::app {

namespace {

[[noreturn]] void hand_over(const std::string& command, std::vector<std::string> words) {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "tulle-train";
    words.insert(words.begin(), {program.string(), command});
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    throw Error("`tulle {}` needs the program tulle-train beside tulle ('{}'); build it with -DTULLE_TRAINING=ON",
                command, program.string());
}

void add(CLI::App& app, const std::string& name, const std::string& description) {
    CLI::App* command = app.add_subcommand(name, description);
    command->prefix_command();  // what follows is for tulle-train, --help included
    command->set_help_flag();
    command->callback([command, name] { hand_over(name, command->remaining()); });
}

}  // namespace

void add_train(CLI::App& app) {
    add(app, "train", "Follow a recipe from sequences to a weights file");
    add(app, "reproduce", "Make a paper's tables and figures, its own beside ours");
}

}  // namespace tulle::app
