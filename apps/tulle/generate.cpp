// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "tulle/workflows/generate_poses.h"
#include "tulle/workflows/poses_as_cache.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::GenerateSettings settings;
    std::string sweep;  // empty: the scene itself, once
    int poses = 0;      // of the body; 0: sequences are made, not poses
    std::uint64_t seed = 1;
    double within = 1;  // share of the joints' limits
    std::string cache;  // empty: poses are not also written into one
    bool json = false;
};

void end_if_stopped(bool stopped) {
    if (!stopped) return;
    print_text(stderr, "tulle: stopped; the same command goes on from there\n");
    throw CLI::RuntimeError(1);
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
    print_text("{}: {} of {} sequences, {} frames\n", options.settings.folder.string(), report.sequences,
               sweep.sequences, report.frames);
    if (report.diverged > 0)
        print_text("  {} of them end early, where the simulation left the finite numbers\n", report.diverged);
    if (!report.stopped && report.sequences < sweep.sequences)
        print_text("  the others are being made by another process\n");
}

void print(const workflows::GeneratePosesReport& report, const std::filesystem::path& folder) {
    print_text("{}: {} poses, {} of them made now", folder.string(), report.poses, report.made);
    if (report.made > 0) print_text(", in {:.0f} steps each", report.mean_steps);
    print_text("\n");
    print_text("  mean speed at rest at most {:.2g} mm/s, longest edge {:.0f} % of its rest length\n",
               1000 * report.worst_mean_speed, 100 * report.longest_edge);
    for (const auto& [fault, count] : report.redone) print_text("  {} made again: {}\n", count, to_string(fault));
}

void run_poses(const Options& options, const InterruptGuard& guard) {
    workflows::GeneratePosesSettings settings{.scene = options.settings.scene,
                                              .folder = options.settings.folder,
                                              .overrides = options.settings.overrides,
                                              .poses = options.poses,
                                              .seed = options.seed,
                                              .within = options.within,
                                              .jobs = options.settings.jobs};
    if (!options.cache.empty()) workflows::require_apart(settings, options.cache);
    workflows::GeneratePosesReport report;
    {
        ProgressBar bar("generating poses");
        settings.on_pose = [&](long done, long total) {
            bar.show(done, total);
            return !guard.interrupted();
        };
        report = workflows::generate_poses(settings);
    }
    if (options.json) {
        nlohmann::json redone = nlohmann::json::object();
        for (const workflows::DrapeFault fault : workflows::drape_faults())
            redone[to_string(fault)] = report.redone.contains(fault) ? report.redone.at(fault) : 0;
        print_text("{}\n", nlohmann::json{{"folder", settings.folder.string()},
                                          {"poses", report.poses},
                                          {"made", report.made},
                                          {"redone", redone},
                                          {"mean_steps", report.mean_steps},
                                          {"worst_mean_speed", report.worst_mean_speed},
                                          {"longest_edge", report.longest_edge}}
                               .dump());
    } else {
        print(report, settings.folder);
    }
    end_if_stopped(report.stopped);
    if (!options.cache.empty()) workflows::write_poses_as_cache(settings, options.cache);
}

void run(Options options) {
    if (options.poses > 0) {
        const InterruptGuard guard;
        run_poses(options, guard);
        return;
    }
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
    end_if_stopped(report.stopped);
}

}  // namespace

void add_generate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "Simulate many variations of a scene, to learn from");
    const auto options = std::make_shared<Options>();
    command->add_option("scene", options->settings.scene, "Scene file (TOML)")->required();
    CLI::Option* sweep =
        command->add_option("--sweep", options->sweep, "What varies, and how (TOML; default: the scene itself, once)");
    CLI::Option* poses = command->add_option("--poses", options->poses,
                                             "Bring the garment to rest on the body in this many random poses instead");
    poses->check(CLI::Range(1, 9999))->excludes(sweep);
    command->add_option("--seed", options->seed, "Of the poses")->needs(poses)->capture_default_str();
    command->add_option("--within", options->within, "Draw poses within this share of the joints' limits around rest")
        ->needs(poses)
        ->check(CLI::Range(0.01, 1.0))
        ->capture_default_str();
    command->add_option("--cache", options->cache, "Then also write the poses into one cache, to render and export")
        ->needs(poses);
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
        "example: tulle generate scenes/shirt.toml --poses 1000 -o data/shirt\n"
        "Interrupted, the same command goes on where it stopped; on several machines with one disk, start it on each.");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
