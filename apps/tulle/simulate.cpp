// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/simulate.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_counters.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/export_cache.h"
#include "apps/tulle/render_options.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/io/export.h"
#include "tulle/scene/families/families.h"
#include "tulle/workflows/replay.h"
#include "tulle/workflows/require_other_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace tulle::app {

namespace {

struct Options {
    std::string scene;
    workflows::SimulateSettings settings;
    scene::Overrides overrides;
    int threads = 0;
    bool json = false;
    int factor = 0;          // of the learned methods; 0: the scene's
    std::string weights;     // likewise; empty: the scene's
    std::string picture;     // .png or .mp4, drawn from the cache when it is finished
    ExportOptions exported;  // likewise, beside the cache; no format: none
    std::string replay;      // what was recorded by `tulle view`, in place of a scene
};

nlohmann::json to_json(const workflows::SimulateReport& report) {
    return {{"scene", report.scene},
            {"method", report.method},
            {"particles", report.particles},
            {"frames", report.frames},
            {"steps_per_frame", report.steps_per_frame},
            {"threads", report.threads},
            {"ms_per_frame", report.cost.median},
            {"mean_ms_per_frame", report.cost.mean},
            {"stages", report.stages},
            {"counters", report.counters.all()},
            {"error_bound", report.error_bound ? nlohmann::json(*report.error_bound) : nlohmann::json()},
            {"note", report.note},
            {"cache", report.cache.empty() ? nlohmann::json() : nlohmann::json(report.cache.string())}};
}

void print(const workflows::SimulateReport& report) {
    print_text("{} by {}: {} particles, {} frames, {} on {} thread{}\n", report.scene, report.method, report.particles,
               report.frames, report.cost.in_words(), report.threads, report.threads == 1 ? "" : "s");
    for (const auto& [stage, milliseconds] : report.stages) print_text("  {:<20} {:8.3f} ms\n", stage, milliseconds);
    print_counters(report.counters);
    if (report.error_bound)
        print_text("  nine of ten vertices within {:.3g} mm of where the coarse cloth puts them, as the method says\n",
                   1000 * *report.error_bound);
    if (!report.note.empty()) print_text("  note: {}\n", report.note);
    print_text("  {}\n", report.cache.empty() ? "nothing was written; -o FILE.h5 keeps the frames"
                                              : "written to " + report.cache.string());
}

void check_usage(const Options& options) {
    if (options.scene.empty() == options.replay.empty())
        throw CLI::ValidationError("name either a scene or, with --replay, what `tulle view` saved");
    const bool changes = !options.overrides.empty() || options.factor > 0 || !options.weights.empty() ||
                         !options.settings.method.empty() || options.settings.resume;
    if (!options.replay.empty() && changes)
        throw CLI::ValidationError(
            "--replay runs what was recorded; only --frames, --threads and outputs may be added");
    if (options.settings.cache.empty() && (!options.picture.empty() || !options.exported.format.empty()))
        throw CLI::ValidationError("--render and --export draw on a cache; name one with -o");
    if (options.settings.cache.empty() && options.settings.resume)
        throw CLI::ValidationError("--resume goes on with a cache; name it with -o");
    if (options.json && !options.exported.format.empty())
        throw CLI::ValidationError("--json prints one object only; export with `tulle export`");
}

// What comes after the run is refused before it.
void prepare_outputs(const Options& options) {
    if (!options.picture.empty()) workflows::prepare_picture(options.picture);
    if (options.exported.format.empty()) return;
    const io::ExportFormat format = io::parse_export_format(options.exported.format);
    io::prepare_export(format, io::default_export_path(options.settings.cache, format), /*frames=*/2);
}

live::Recording read_other(const Options& options) {
    const std::filesystem::path& cache = options.settings.cache;
    if (!cache.empty()) {
        workflows::require_other_file(options.replay, cache, "the replay");
        workflows::require_other_file(options.replay, live::recording_path(cache), "the replay's own recording");
    }
    return live::read_recording(options.replay);
}

// Of the method that will run.
std::string weights_key(const Options& options) {
    const std::string named = options.settings.method;
    const std::string method = named.empty() ? scene::load_scene(options.scene, options.overrides).method : named;
    const std::string key = scene::family_of(scene::parse_method(method)).weights_key();
    if (key.empty()) throw Error("{} has no weights that --weights could name", method);
    return key;
}

void run(Options options) {
    check_usage(options);
    if (options.threads > 0) set_thread_count(options.threads);
    if (options.factor > 0) options.overrides.push_back(fmt::format("upscaling.factor={}", options.factor));
    if (!options.weights.empty())  // file names in a scene are relative to it
        options.overrides.push_back(
            fmt::format("{}='{}'", weights_key(options), std::filesystem::absolute(options.weights).string()));
    std::optional<live::Recording> recording;
    std::optional<scene::Scene> scene;
    if (options.replay.empty())
        scene = scene::load_scene(options.scene, options.overrides);
    else
        recording = read_other(options);
    prepare_outputs(options);
    const InterruptGuard guard;
    workflows::SimulateReport report;
    {
        ProgressBar bar(scene ? scene->name : "replay", options.exported.progress);
        options.settings.on_frame = [&](const workflows::FrameProgress& progress) {
            bar.show(progress.done, progress.total);
            return !guard.interrupted();
        };
        report =
            scene ? workflows::simulate(*scene, options.settings) : workflows::replay(*recording, options.settings);
    }
    if (options.json)
        print_text("{}\n", to_json(report).dump());
    else
        print(report);
    if (report.stopped) {
        print_text(stderr, "tulle: stopped after frame {}{}\n", report.frames,
                   report.cache.empty() ? "" : "; --resume goes on from there");
        throw CLI::RuntimeError(1);
    }
    if (!options.picture.empty()) render_with_progress({.caches = {options.settings.cache}, .output = options.picture});
    if (!options.exported.format.empty()) export_with_progress(options.settings.cache, options.exported);
}

}  // namespace

void add_simulate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("simulate", "Simulate a scene into a cache");
    const auto options = std::make_shared<Options>();  // CLI11 keeps the callback, which needs them
    command->add_option("scene", options->scene, "Scene file (TOML)");
    command->add_option("--replay", options->replay,
                        "In place of a scene: a cache or a recording that `tulle view` saved, to the same bits");
    command->add_option(
        "-m,--method", options->settings.method,
        "A solver (admm, implicit_cg, mass_spring, xpbd, newton; admm:5 is five iterations), a learned method "
        "(miniature, "
        "hierarchy, cascade, force_cell, garment; miniature:paper has the paper's settings) or an interpolation "
        "(bilinear, biquadratic, "
        "bicubic, butterfly); default: the scene's");
    command->add_option("--factor", options->factor, "How many times finer the shown cloth is than the simulated one")
        ->check(CLI::Range(2, 64));
    command->add_option("--weights", options->weights, "Weights of the learned method (default: those of the scene)");
    command->add_option("-n,--frames", options->settings.frames, "Number of frames (default: the scene's)")
        ->check(CLI::Range(1, 100'000'000));
    command->add_option("-t,--threads", options->threads, "Number of threads (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_option("--set", options->overrides, "Change a setting of the scene, such as wind.velocity=[6,2,0]")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command->add_flag("--resume", options->settings.resume, "Go on where an earlier run into the same cache stopped");
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->add_option("-o,--output", options->settings.cache, "Cache to write (HDF5, with an XDMF file beside it)");
    command->add_option("--render", options->picture, "Draw the result too: a picture (.png) or a film (.mp4)");
    command
        ->add_option("--export", options->exported.format,
                     "Export the result too, beside the cache: usd, gltf, obj or pc2")
        ->check(CLI::IsMember({"usd", "gltf", "obj", "pc2"}));
    add_up_option(*command, options->exported.up, "exported OBJ files and point caches");
    add_progress_option(*command, options->exported.progress);
    command->footer(
        "example: tulle simulate scenes/flag.toml --method admm:5 --frames 100 --set wind.velocity=[6,2,0] -o "
        "out/flag.h5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
