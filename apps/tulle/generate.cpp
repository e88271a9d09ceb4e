// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"
#include "apps/common/interrupt.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <thread>

namespace tulle::app {

namespace {

struct Options {
    workflows::GenerateSettings settings;
    std::string sweep;
    int processes = 0;
    bool json = false;
};

// Children work on the same folder, silently; each sequence is small, so one thread each is fastest.
std::vector<pid_t> start_children(int count, const Options& options) {
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child < 0) throw Error("cannot start another process; use --processes 1");
        if (child > 0) {
            children.push_back(child);
            continue;
        }
        std::vector<std::string> words = {"tulle",       "generate", options.settings.scene.string(),  "--sweep",
                                          options.sweep, "-o",       options.settings.folder.string(), "--processes",
                                          "1",           "--json"};
        for (const std::string& setting : options.settings.overrides) {
            words.emplace_back("--set");
            words.push_back(setting);
        }
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (!std::freopen("/dev/null", "w", stdout)) _exit(1);
        execv("/proc/self/exe", arguments.data());
        _exit(1);
    }
    return children;
}

void wait_for(const std::vector<pid_t>& children) {
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            throw Error("one of the processes did not finish; run the command again to go on");
    }
}

workflows::GenerateReport generate(Options& options, const scene::Sweep& sweep, const InterruptGuard& guard) {
    ProgressBar bar("generating");
    options.settings.on_frame = [&](long done, long total) {
        bar.show(done, total);
        return !guard.interrupted();
    };
    return workflows::generate(sweep, options.settings);
}

void print(const Options& options, const scene::Sweep& sweep, const workflows::GenerateReport& report) {
    fmt::print("{}: {} of {} sequences, {} frames\n", options.settings.folder.string(), report.sequences,
               sweep.sequences, report.frames);
    if (report.diverged > 0)
        fmt::print("  {} of them end early, where the simulation left the finite numbers\n", report.diverged);
    if (!report.stopped && report.sequences < sweep.sequences)
        fmt::print("  the others are being made by another process\n");
}

void run(Options options) {
    const scene::Sweep sweep = scene::load_sweep(options.sweep);
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int processes = std::min(options.processes > 0 ? options.processes : cores, sweep.sequences);
    const std::vector<pid_t> children = start_children(processes - 1, options);
    set_thread_count(1);
    const InterruptGuard guard;
    workflows::GenerateReport report = generate(options, sweep, guard);
    wait_for(children);
    if (!children.empty() && !report.stopped) report = generate(options, sweep, guard);  // count what the others made
    if (options.json)
        fmt::print("{}\n", nlohmann::json{{"folder", options.settings.folder.string()},
                                          {"sequences", report.sequences},
                                          {"frames", report.frames},
                                          {"diverged", report.diverged}}
                               .dump());
    else
        print(options, sweep, report);
    if (report.stopped) {
        fmt::print(stderr, "tulle: stopped; the same command goes on from there\n");
        throw CLI::RuntimeError(1);
    }
}

}  // namespace

void add_generate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "Simulate many variations of a scene, to learn from");
    const auto options = std::make_shared<Options>();
    command->add_option("scene", options->settings.scene, "Scene file (TOML)")->required();
    command->add_option("--sweep", options->sweep, "What varies, and how (TOML)")->required();
    command->add_option("-o,--output", options->settings.folder, "Folder for the sequences")->required();
    command->add_option("--processes", options->processes, "How many processes share the work (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_option("--set", options->settings.overrides, "Change a setting of the scene for all sequences")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->footer(
        "example: tulle generate scenes/flag.toml --sweep models/flag.sweep.toml -o data/flag\n"
        "Interrupted, the same command goes on where it stopped; on several machines with one disk, start it on each.");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
