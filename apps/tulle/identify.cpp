// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/identify.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/common/within.h"
#include "apps/tulle/commands.h"
#include "tulle/core/parallel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::IdentifySettings settings;
    std::string law = "auto";
    std::string start = "recording";
    int threads = 0;
    bool json = false;
};

std::string reading_name(methods::Reading reading) {
    return reading == methods::Reading::StartOfStep ? "start" : "end";
}

nlohmann::json to_json(const workflows::IdentifyReport& report) {
    const methods::IdentificationReport& found = report.found;
    nlohmann::json values = nlohmann::json::object();
    for (int i = 0; i < methods::parameter_count; ++i) {
        const methods::IdentifiedValue& value = found.values[static_cast<size_t>(i)];
        values[methods::parameter_name(i)] = {
            {"value", value.is_shown ? nlohmann::json(value.value) : nlohmann::json()},
            {"error", value.is_shown ? nlohmann::json(value.error) : nlohmann::json()},
            {"identifiable", value.is_shown}};
    }
    return {{"parameters", values},
            {"law", found.law == methods::SpringLaw::Young ? "young" : "kinds"},
            {"stiffness_per_length", found.stiffness_per_length},
            {"masses_are_known", report.masses_are_known},
            {"method", report.method},
            {"forces_at", reading_name(found.reading)},
            {"residual_at_start", found.start_residual},
            {"residual_at_end", found.end_residual},
            {"kinds_differ", found.kinds_differ},
            {"noise", found.noise},
            {"distance", found.distance},
            {"spacing", report.spacing},
            {"smoothing_frames", found.reach},
            {"first_frame", found.first_frame},
            {"frames", found.frames},
            {"iterations", found.iterations},
            {"converged", found.converged},
            {"warnings", found.warnings}};
}

std::string value_text(const methods::IdentifiedValue& value) {
    if (!value.is_shown) return "not shown by the motion";
    return fmt::format("{:<12.7g} ± {:.2g}", value.value, value.error);
}

void print(const workflows::IdentifyReport& report) {
    const methods::IdentificationReport& found = report.found;
    print_text("{} frames compared with {}, noise {:.3g} m, distance left {:.3g} m (spacing {:.3g} m)\n", found.frames,
               report.method, found.noise, found.distance, report.spacing);
    print_text("  forces of the {} of a step explain the accelerations best (unexplained: start {:.2g}, end {:.2g})\n",
               reading_name(found.reading), found.start_residual, found.end_residual);
    const bool is_young = found.law == methods::SpringLaw::Young;
    const char* stiffness_unit = found.stiffness_per_length ? "N" : "N/m";
    for (int i = 0; i < methods::parameter_count; ++i) {
        if (is_young && i < 6 && i % 3 != 0) continue;
        const std::string name =
            is_young && i < 6 ? (i == 0 ? "Young's modulus" : "damping") : methods::parameter_name(i);
        print_text("  {:<18} {} {}\n", name, value_text(found.values[static_cast<size_t>(i)]),
                   i < 3    ? stiffness_unit
                   : i < 6  ? "N s/m"
                   : i == 6 ? "1/s"
                            : "m/s²");
    }
    if (!report.masses_are_known)
        print_text("  note: the masses are not known; stiffness and damping are for particles of 1 kg\n");
    for (const std::string& warning : found.warnings) print_text("  note: {}\n", warning);
}

void run(Options options) {
    if (options.threads > 0) set_thread_count(options.threads);
    if (options.law != "auto")
        options.settings.law = options.law == "young" ? methods::SpringLaw::Young : methods::SpringLaw::ByKind;
    options.settings.start_of_scene = options.start == "scene";
    const InterruptGuard guard;
    workflows::IdentifyReport report;
    {
        ProgressBar bar("identifying");
        options.settings.on_progress = [&](const methods::FitProgress& progress) {
            bar.show(progress.done, progress.total);
            return !guard.interrupted();
        };
        report = workflows::identify(options.settings);
    }
    if (report.found.stopped) {
        print_text(stderr, "tulle: stopped before anything was found\n");
        throw CLI::RuntimeError(1);
    }
    if (options.json)
        print_text("{}\n", to_json(report).dump());
    else
        print(report);
    if (!options.json && !options.settings.output.empty())
        print_text("  written to {}\n", options.settings.output.string());
}

}  // namespace

void add_identify(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "identify", "Find stiffness, damping, drag and gravity of a recorded cloth from its positions");
    const auto options = std::make_shared<Options>();
    workflows::IdentifySettings& settings = options->settings;
    command->add_option("motion", settings.source, "Cache (.h5) of a grid cloth; only its positions are read")
        ->required();
    command->add_option("-o,--output", settings.output, "Scene to write (TOML), with error bars as comments");
    command->add_option("--scene", settings.scene, "Scene of the recording (default: what the cache says)");
    command->add_option("-m,--method", settings.method,
                        "Solver to compare the recording with (default: what the cache says, or else mass_spring or "
                        "newton, whichever explains the accelerations)");
    command
        ->add_option("--law", options->law,
                     "young: one stiffness and damping for all springs; kinds: of each kind; auto: young unless the "
                     "motion speaks against it (default)")
        ->check(CLI::IsMember({"auto", "young", "kinds"}));
    command
        ->add_option("--start", options->start,
                     "Where the compared simulation begins: recording (read from the frames, default) or scene (the "
                     "scene's own start, for recordings too coarse in time to show velocities)")
        ->check(CLI::IsMember({"recording", "scene"}));
    command->add_option("--first-frame", settings.first_frame, "Frame to begin with (default: 0)")
        ->check(CLI::Range(0L, 100'000'000L));
    command->add_option("-n,--frames", settings.frames, "Frames to use at most (default: 400)")
        ->check(CLI::Range(1L, 100'000L));
    command
        ->add_option("--noise", settings.noise,
                     "Add normal noise to every coordinate of every frame first, as a part of the spacing")
        ->check(within(0, 1.0));
    command->add_option("--seed", settings.seed, "Of that noise (default: 1)");
    command->add_option("-t,--threads", options->threads, "Number of threads (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->footer("example: tulle identify out/motion.h5 --noise 0.001 --seed 1 -o out/fabric.toml");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
