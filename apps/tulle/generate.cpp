// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::GenerateSettings settings;
    std::string sweep;  // empty: the scene itself, once
    bool json = false;
};

workflows::GenerateReport generate(Options& options, const scene::Sweep& sweep, const InterruptGuard& guard) {
    ProgressBar bar("generating");
    options.settings.on_frame = [&](long done, long total) {
        bar.show(done, total);
        return !guard.interrupted();
    };
    return workflows::generate(sweep, options.settings);
}

void print(const Options& options, const scene::Sweep& sweep, const workflows::GenerateReport& report) {
    print_text("{}: {} of {} sequences, {} frames\n", options.settings.folder.string(), report.sequences,
               sweep.sequences, report.frames);
    if (report.diverged > 0)
        print_text("  {} of them end early, where the simulation left the finite numbers\n", report.diverged);
    if (!report.stopped && report.sequences < sweep.sequences)
        print_text("  the others are being made by another process\n");
}

void run(Options options) {
    const scene::Sweep sweep =
        options.sweep.empty() ? single_sequence(scene::load_scene(options.settings.scene, options.settings.overrides))
                              : scene::load_sweep(options.sweep);
    const InterruptGuard guard;
    const workflows::GenerateReport report = generate(options, sweep, guard);
    if (options.json)
        print_text("{}\n", nlohmann::json{{"folder", options.settings.folder.string()},
                                          {"sequences", report.sequences},
                                          {"frames", report.frames},
                                          {"diverged", report.diverged}}
                               .dump());
    else
        print(options, sweep, report);
    if (report.stopped) {
        print_text(stderr, "tulle: stopped; the same command goes on from there\n");
        throw CLI::RuntimeError(1);
    }
}

}  // namespace

void add_generate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "Simulate many variations of a scene, to learn from");
    const auto options = std::make_shared<Options>();
    command->add_option("scene", options->settings.scene, "Scene file (TOML)")->required();
    command->add_option("--sweep", options->sweep, "What varies, and how (TOML; default: the scene itself, once)");
    command->add_option("-o,--output", options->settings.folder, "Folder for the sequences")->required();
    options->settings.jobs = 0;
    command->add_option("-j,--jobs", options->settings.jobs, "How many sequences at once (default: one for every core)")
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
