// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/render_options.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/workflows/evaluation_files.h"
#include "tulle/workflows/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace tulle::app {

namespace {

namespace fs = std::filesystem;

struct Options {
    std::string scene;
    workflows::EvaluateSettings settings;
    scene::Overrides overrides;
    int threads = 0;
    bool json = false;
    bool pareto = false;
    bool no_pictures = false;
    bool no_converged = false;
    long picture_frame = -1;  // negative: the last
};

void check_usage(const Options& options) {
    if (options.pareto && options.no_converged)
        throw CLI::ValidationError(
            "--pareto measures the distance to the converged solution; leave --no-converged out");
    if (options.settings.frames > 0 && options.picture_frame > options.settings.frames)
        throw CLI::ValidationError("--picture-frame is after the last frame");
}

[[noreturn]] void stop() {
    print_text(stderr, "tulle: stopped before there was a report\n");
    throw CLI::RuntimeError(1);
}

workflows::EvaluateReport evaluate_with_progress(const scene::Scene& scene, workflows::EvaluateSettings settings) {
    const InterruptGuard guard;
    ProgressBar bar("evaluating");
    settings.on_frame = [&](const workflows::EvaluateProgress& progress) {
        bar.show(progress.done, progress.total, progress.method);
        return !guard.interrupted();
    };
    workflows::EvaluateReport report = workflows::evaluate(scene, settings);
    if (report.stopped) stop();
    return report;
}

workflows::ParetoReport pareto_with_progress(const scene::Scene& scene, const workflows::EvaluateSettings& settings) {
    const InterruptGuard guard;
    ProgressBar bar("Pareto plot");
    workflows::ParetoReport report =
        workflows::evaluate_pareto(scene, {.frames = settings.frames,
                                           .truth = settings.truth,
                                           .on_frame = [&](const std::string& what, long done, long total) {
                                               bar.show(done, total, what);
                                               return !guard.interrupted();
                                           }});
    if (report.stopped) stop();
    return report;
}

// As many pictures as it takes: so many panels fit one of them.
std::vector<fs::path> draw(const workflows::EvaluateReport& report, const Options& options) {
    std::vector<fs::path> caches = {report.full.cache};
    if (report.converged) caches.push_back(report.converged->cache);
    for (const workflows::MethodFigures& method : report.methods)
        if (method.to_full && std::find(caches.begin(), caches.end(), method.cache) == caches.end())
            caches.push_back(method.cache);
    constexpr size_t panels = 9;
    std::vector<fs::path> pictures;
    for (size_t first = 0; first < caches.size(); first += panels) {
        const auto begin = caches.begin() + static_cast<long>(first);
        const auto end = caches.begin() + static_cast<long>(std::min(first + panels, caches.size()));
        const std::string name = first == 0 ? "frame.png" : fmt::format("frame-{}.png", first / panels + 1);
        workflows::RenderRequest request{
            .caches = {begin, end}, .output = options.settings.folder / name, .look = {.size = {1680, 720}}};
        if (options.picture_frame >= 0) request.frame = options.picture_frame;
        render_with_progress(request);
        pictures.push_back(request.output);
    }
    return pictures;
}

void run(Options options) {
    check_usage(options);
    if (options.threads > 0) set_thread_count(options.threads);
    options.settings.converged = !options.no_converged;
    const scene::Scene scene = scene::load_scene(options.scene, options.overrides);
    const fs::path& folder = options.settings.folder;
    options.settings.report = {.pareto = options.pareto, .pictures = !options.no_pictures};
    const auto write = [&](const workflows::ReportFile& file, const std::string& text) {
        write_file(folder / file.name, text, file.format);
    };
    const workflows::EvaluateReport report = evaluate_with_progress(scene, options.settings);
    write(workflows::report_json, to_json(report) + "\n");
    write(workflows::report_csv, to_csv(report));
    write(workflows::curves_file, curves_csv(report));
    std::optional<workflows::ParetoReport> pareto;
    if (options.pareto) {
        pareto = pareto_with_progress(scene, options.settings);
        write(workflows::pareto_svg, to_svg(*pareto));
        write(workflows::pareto_csv, to_csv(*pareto));
    }
    const std::vector<fs::path> pictures = options.no_pictures ? std::vector<fs::path>() : draw(report, options);
    write(workflows::report_html, to_html(report, pareto, pictures));
    if (options.json)
        print_text("{}\n", to_json(report));
    else
        print_text("{}\nThe whole report is {}.\n", to_table(report), (folder / "report.html").string());
    for (const std::string& sentence : warnings(report)) print_text(stderr, "tulle: {}\n", sentence);
    if (!pareto) return;
    if (pareto->cpu_share < workflows::least_cpu_share)
        print_text(stderr, "tulle: the machine was busy, so the costs of the Pareto plot are not to be trusted\n");
    for (const workflows::SkippedMethod& skipped : pareto->skipped)
        print_text(stderr, "{} is not in the Pareto plot: {}\n", skipped.method, skipped.reason);
}

}  // namespace

void add_evaluate(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("evaluate", "Compare methods with the full simulation and with the converged one");
    const auto options = std::make_shared<Options>();
    command->add_option("scene", options->scene, "Scene file (TOML)")->required();
    command
        ->add_option("-m,--methods", options->settings.methods,
                     "What to compare, such as admm:5,xpbd,bicubic,miniature,miniature:paper")
        ->required()
        ->delimiter(',');
    command->add_option("--truth", options->settings.truth, "The method that the others are compared with")
        ->capture_default_str();
    command->add_option("-o,--output", options->settings.folder, "Folder for the report and the caches")->required();
    command->add_option("-n,--frames", options->settings.frames, "Number of frames (default: the scene's)")
        ->check(CLI::Range(1, 100'000));
    command->add_option("-t,--threads", options->threads, "Number of threads (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_option("--set", options->overrides, "Change a setting of the scene, such as cloth.rows=25")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--picture-frame", options->picture_frame, "Frame of the picture (default: the last)")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--json", options->json, "Print the figures as one JSON object");
    command->add_flag(
        "--pareto", options->pareto,
        "Also plot error against cost for the truth with 2 to 20 iterations and all others, on soft, medium and "
        "stiff cloth");
    command->add_flag("--no-pictures", options->no_pictures, "Draw no picture");
    command->add_flag("--no-converged", options->no_converged, "Leave out the converged solution, which takes longest");
    command->footer(
        "example: tulle evaluate scenes/flag.toml --methods admm,admm:5,bicubic,miniature --frames 300 -o out/report\n"
        "docs/evaluation.md explains every figure.");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
