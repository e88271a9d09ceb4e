// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/open_browser.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/view/access.h"
#include "tulle/view/server.h"

#include <cstdlib>
#include <memory>

namespace tulle::app {

namespace fs = std::filesystem;

namespace {

struct Options {
    std::string source;                // a scene or a cache; empty: the flag
    std::vector<std::string> methods;  // empty: admm and hierarchy for the flag, else the scene's
    std::vector<std::string> compare;  // caches beside the first
    std::string save_to = "out";
    std::string listen = "127.0.0.1";
    std::string token_file;
    int port = 0;  // 0: 8642 or the next free one
    int threads = 0;
    bool no_browser = false;
};

// Scenes are where one works, or were installed with the program.
fs::path default_scene() {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& folder :
         {fs::path("scenes"), program / ".." / "share" / "tulle" / "scenes", program / ".." / "scenes"})
        if (fs::is_regular_file(folder / "flag.toml", failed)) return folder / "flag.toml";
    throw Error("there is no scenes/flag.toml here; name a scene: tulle view SCENE.toml");
}

view::StagePlan plan_of(const Options& options) {
    if (fs::path(options.source).extension() == ".h5") {
        if (!options.methods.empty())
            throw CLI::ValidationError("--methods choose how a scene runs; a cache is recorded");
        view::StagePlan plan{.scene = {}, .methods = {}, .caches = {options.source}};
        plan.caches.insert(plan.caches.end(), options.compare.begin(), options.compare.end());
        return plan;
    }
    if (!options.compare.empty()) throw CLI::ValidationError("--compare shows a cache beside a cache; name one first");
    view::StagePlan plan{.scene = options.source.empty() ? default_scene() : fs::path(options.source),
                         .methods = options.methods};
    if (plan.methods.size() > view::most_panels)
        throw CLI::ValidationError(fmt::format("at most {} methods fit side by side", view::most_panels));
    if (plan.methods.empty() && options.source.empty()) plan.methods = {"admm", "hierarchy"};
    if (plan.methods.empty()) plan.methods = {scene::load_scene(plan.scene).method};
    return plan;
}

// The same for as long as one is logged in, so that a page finds its server again.
std::string token_of(const Options& options) {
    if (!options.token_file.empty()) return view::kept_token(options.token_file);
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime == nullptr || *runtime == '\0') return view::make_token();
    try {
        return view::kept_token(fs::path(runtime) / "tulle-view-token");
    } catch (const Error&) {  // nobody asked for that file
        return view::make_token();
    }
}

void run(const Options& options) {
    const view::StagePlan plan = plan_of(options);
    view::Server server({.address = options.listen,
                         .port = static_cast<std::uint16_t>(options.port == 0 ? 8642 : options.port),
                         .ports_to_try = options.port == 0 ? 50 : 1,
                         .token = token_of(options),
                         .page = view::PageFiles(view::find_page())});
    const InterruptGuard guard;
    view::Session session(
        {.plan = plan, .save_to = options.save_to, .threads = options.threads > 0 ? options.threads : thread_count()},
        server.post());
    print_text("{}\n", server.address());
    if (!server.is_loopback())
        print_text("Other machines can reach this: whoever has this address may look and touch.\n");
    print_text("Ctrl-C ends it.\n");
    std::fflush(stdout);
    if (!options.no_browser) open_browser(server.address());
    server.run(session, [&] { return guard.interrupted(); });
}

}  // namespace

void add_view(CLI::App& app) {
    CLI::App* command = app.add_subcommand("view", "Look at a cloth in the browser while it runs, and touch it");
    const auto options = std::make_shared<Options>();  // CLI11 keeps the callback, which needs them
    command->add_option("source", options->source,
                        "A scene (TOML) that runs live, or a cache (HDF5) that is played (default: the flag)");
    command->add_option("-m,--methods", options->methods, "One panel each, such as admm,miniature,hierarchy")
        ->delimiter(',');
    command->add_option("--compare", options->compare, "Caches beside the first")->type_name("CACHE")->delimiter(',');
    command->add_option("--port", options->port, "Port (default: 8642 or the next free one)")
        ->check(CLI::Range(1, 65535));
    command->add_option("--listen", options->listen,
                        "Address to listen at; 0.0.0.0 lets other machines in (default: this machine only)");
    command->add_option("--save-to", options->save_to, "Folder for what is saved from the page (default: out)");
    command->add_option("--token-file", options->token_file,
                        "File that keeps the token of the address (default: one for this login)");
    command->add_option("-t,--threads", options->threads, "Number of threads for all panels (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--no-browser", options->no_browser, "Only print the address");
    command->footer(
        "example: tulle view scenes/collision.toml --methods admm,miniature,hierarchy\n"
        "         tulle view out/flag.h5 --compare out/fast.h5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
