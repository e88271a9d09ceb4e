// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/evaluate_modes.h"
#include "apps/tulle/render_options.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/workflows/ablation.h"
#include "tulle/workflows/evaluation_files.h"
#include "tulle/workflows/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

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
    long picture_frame = -1;                 // negative: the last
    std::string ablation;                    // the network; empty: none is asked for
    int seeds = 0;                           // of an ensemble; 0: none is asked for
    workflows::SequencesSettings sequences;  // without a folder: none are asked for
    std::string part = "test";
};

void check_usage(const Options& options) {
    const bool sequences = !options.sequences.folder.empty();
    if (options.pareto && options.no_converged)
        throw CLI::ValidationError(
            "--pareto measures the distance to the converged solution; leave --no-converged out");
    if (options.settings.frames > 0 && options.picture_frame > options.settings.frames)
        throw CLI::ValidationError("--picture-frame is after the last frame");
    if (options.settings.methods.empty() && options.ablation.empty())
        throw CLI::ValidationError("name what to compare with --methods or --ablation");
    if (options.settings.folder.empty() != sequences)
        throw CLI::ValidationError(sequences ? "--sequences only prints its figures; leave -o out"
                                             : "name a folder for the report with -o");
    if (options.pareto && (options.seeds > 0 || sequences))
        throw CLI::ValidationError("--pareto is about one run of a scene; leave --ensemble and --sequences out");
    if (sequences && (options.seeds > 0 || !options.ablation.empty()))
        throw CLI::ValidationError("--sequences simulates nothing; leave --ensemble and --ablation out");
}

workflows::EvaluateReport evaluate_with_progress(const scene::Scene& scene, workflows::EvaluateSettings settings) {
    const InterruptGuard guard;
    ProgressBar bar("evaluating");
    settings.on_frame = [&](const workflows::EvaluateProgress& progress) {
        bar.show(progress.done, progress.total, progress.method);
        return !guard.interrupted();
    };
    workflows::EvaluateReport report = workflows::evaluate(scene, settings);
    if (report.stopped) stop_without_report();
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
    if (report.stopped) stop_without_report();
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

void run_sequences(Options options, const scene::Scene& scene) {
    const std::map<std::string, std::optional<datasets::Part>> parts = {{"training", datasets::Part::Training},
                                                                        {"validation", datasets::Part::Validation},
                                                                        {"test", datasets::Part::Test},
                                                                        {"all", {}}};
    options.sequences.part = parts.at(options.part);
    options.sequences.methods = options.settings.methods;
    options.sequences.overrides = options.overrides;
    run_sequences(scene, options.sequences, options.json ? Print::Json : Print::Table);
}

void write_and_print(const scene::Scene& scene, const Options& options) {
    const fs::path& folder = options.settings.folder;
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

void run(Options options) {
    check_usage(options);
    if (options.threads > 0) set_thread_count(options.threads);
    options.settings.converged = !options.no_converged;
    options.settings.report = {.pareto = options.pareto, .pictures = !options.no_pictures};
    scene::Scene scene = scene::load_scene(options.scene, options.overrides);
    if (!options.ablation.empty()) {
        const workflows::Ablation ablation = workflows::ablation_of(scene, options.ablation);
        scene = ablation.scene;
        for (const std::string& method : ablation.methods) options.settings.methods.push_back(method);
        if (!ablation.left_out.empty())
            print_text(stderr, "tulle: the ablation has no calibrated rows: {}\n", ablation.left_out);
    }
    if (!options.sequences.folder.empty())
        run_sequences(options, scene);
    else if (options.seeds > 0)
        run_ensemble(scene,
                     {.methods = options.settings.methods,
                      .truth = options.settings.truth,
                      .frames = options.settings.frames,
                      .seeds = options.seeds},
                     options.settings.folder, options.json ? Print::Json : Print::Table);
    else
        write_and_print(scene, options);
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
        ->delimiter(',');
    command->add_option("--truth", options->settings.truth, "The method that the others are compared with")
        ->capture_default_str();
    command->add_option("-o,--output", options->settings.folder, "Folder for the report and the caches");
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
    command
        ->add_option("--ablation", options->ablation,
                     "Also compare bilinear, bicubic and this network, each on the similar and on the calibrated "
                     "coarse cloth")
        ->check(CLI::IsMember({"miniature", "hierarchy"}));
    command
        ->add_option("--ensemble", options->seeds,
                     "Run everything from so many starts that differ by up to 1 mm, without the converged solution, "
                     "and compare distributions")
        ->check(CLI::Range(workflows::fewest_seeds, 1000));
    command->add_option("--sequences", options->sequences.folder,
                        "Simulate nothing: measure upscaling, teacher-forced, on the sequences of the scene in this "
                        "folder, relative to the first method");
    command->add_option("--part", options->part, "Which of the sequences, as training splits them")
        ->check(CLI::IsMember({"training", "validation", "test", "all"}))
        ->capture_default_str();
    command->add_option("--split-seed", options->sequences.split_seed, "Seed of the recipe whose split it is")
        ->capture_default_str();
    command->add_flag("--no-pictures", options->no_pictures, "Draw no picture");
    command->add_flag("--no-converged", options->no_converged, "Leave out the converged solution, which takes longest");
    command->footer(
        "example: tulle evaluate scenes/flag.toml --methods admm,admm:5,bicubic,miniature --frames 300 -o out/report\n"
        "         tulle evaluate scenes/flag.toml --ablation miniature --ensemble 16 -o out/ensemble\n"
        "         tulle evaluate scenes/flag.toml --sequences data/flag-many --part test --methods bicubic,miniature\n"
        "docs/evaluation.md explains every figure.");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
