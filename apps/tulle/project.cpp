// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/project.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/common/within.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/export_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::ProjectSettings settings;
    double inextensible = -1, compression = -1;  // negative: not given
    bool quasistatic = false;
    double mu = 0.1, tolerance = 1e-6;
    int max_iterations = 0;  // 0: each projection's own
    double frame_rate = 0;   // 0: the cache knows
    std::string fixed;       // "0,12,24", "none"; empty: the scene's pins
    std::string up = "y";
    bool json = false;
};

std::vector<int> parse_fixed(const std::string& text) {
    std::vector<int> vertices;
    if (text == "none") return vertices;
    const char* next = text.data();
    const char* end = next + text.size();
    while (next < end) {
        int vertex = 0;
        const auto [after, error] = std::from_chars(next, end, vertex);
        if (error != std::errc() || vertex < 0 || (after != end && *after != ',') || after + 1 == end)
            throw CLI::ValidationError("--fixed: '" + text + "' is neither vertices such as 0,12,24 nor none");
        vertices.push_back(vertex);
        next = after + 1;
    }
    return vertices;
}

workflows::ProjectSettings settings_of(const Options& options) {
    workflows::ProjectSettings settings = options.settings;
    if (options.frame_rate > 0) settings.source.frame_rate = options.frame_rate;
    settings.source.up_axis = options.up[0];
    if (!options.fixed.empty()) settings.fixed = parse_fixed(options.fixed);
    if (options.compression >= 0 && options.inextensible < 0)
        throw CLI::ValidationError("--compression: it is a limit beside --inextensible; give both");
    if (options.inextensible >= 0) {
        auto& limits = settings.projection.inextensibility.emplace();
        limits.stretch = options.inextensible;
        limits.tolerance = options.tolerance;
        if (options.compression >= 0) limits.compression = options.compression;
        if (options.max_iterations > 0) limits.max_iterations = options.max_iterations;
    }
    if (options.quasistatic) {
        auto& springs = settings.projection.quasistatics.emplace();
        springs.mu = options.mu;
        springs.tolerance = options.tolerance;
        if (options.max_iterations > 0) springs.max_iterations = options.max_iterations;
    }
    if (!settings.projection.is_any())
        throw CLI::ValidationError("project: give --inextensible STRETCH, --quasistatic, or both");
    return settings;
}

nlohmann::ordered_json range(const projections::StretchRange& stretch) {
    return {{"worst_stretch", stretch.largest - 1}, {"worst_compression", 1 - stretch.smallest}};
}

nlohmann::ordered_json to_json(const workflows::ProjectReport& report, const std::string& cache) {
    return {{"projection", report.projection},
            {"particles", report.particles},
            {"fixed", report.fixed},
            {"frames", report.frames},
            {"ms_per_frame", report.cost.median},
            {"mean_ms_per_frame", report.cost.mean},
            {"iterations", report.iterations},
            {"gap", report.gap},
            {"violation", report.violation},
            {"gradient", report.gradient},
            {"pin_stretch", report.pin_stretch},
            {"before", range(report.before)},
            {"after", range(report.after)},
            {"unsolved", report.unsolved},
            {"cache", cache}};
}

void print(const workflows::ProjectReport& report, const std::string& cache) {
    print_text("{}: {} frames of {} particles made {}, {}\n", cache, report.frames, report.particles, report.projection,
               report.cost.in_words());
    const auto line = [](const char* name, const projections::StretchRange& stretch) {
        print_text("  {}: edges from {:.1f} % to {:.1f} % of their rest length\n", name, 100 * stretch.smallest,
                   100 * stretch.largest);
    };
    line("before", report.before);
    line("after ", report.after);
    if (report.pin_stretch > 1)
        print_text("  limits were raised by up to {:.3g}, because fixed vertices are too far apart\n",
                   report.pin_stretch);
}

std::string list_of(const std::vector<long>& frames) {
    constexpr size_t most = 10;
    const std::vector<long> shown(frames.begin(), frames.begin() + static_cast<long>(std::min(most, frames.size())));
    return fmt::format("{}{}", fmt::join(shown, ", "), frames.size() > most ? ", …" : "");
}

void run(const Options& options) {
    workflows::ProjectSettings settings = settings_of(options);
    const InterruptGuard guard;
    workflows::ProjectReport report;
    {
        ProgressBar bar("projecting");
        settings.on_frame = [&](const workflows::FrameProgress& progress) {
            bar.show(progress.done, progress.total);
            return !guard.interrupted();
        };
        report = workflows::project(settings);
    }
    const std::string cache = settings.cache.string();
    if (options.json)
        print_text("{}\n", to_json(report, cache).dump());
    else
        print(report, cache);
    if (report.stopped) print_text(stderr, "tulle: stopped after {} frames, which are in the cache\n", report.frames);
    if (!report.unsolved.empty())
        print_text(stderr, "tulle: {} of {} frames could not be solved to the tolerance: {} ({})\n",
                   report.unsolved.size(), report.frames, list_of(report.unsolved), report.problem);
    if (report.stopped || !report.unsolved.empty()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_project(CLI::App& app) {
    CLI::App* command = app.add_subcommand("project", "Mend a cloth animation that stretches or crumples");
    const auto options = std::make_shared<Options>();
    workflows::ProjectSettings& settings = options->settings;
    command
        ->add_option(
            "animation", settings.source.path,
            "Cache (.h5), point cache (.pc2), glTF with morph targets (.glb, .gltf), or a folder or pattern of OBJ "
            "files")
        ->required();
    command->add_option("-o,--output", settings.cache, "Cache to write (.h5)")->required();
    command->add_option("--rest", settings.source.rest,
                        "Rest shape (.obj), whose lengths count (default: the cache's, or the first OBJ file)");
    command->add_option("--inextensible", options->inextensible, "Edges stretch by at most this, such as 0.01 for 1 %")
        ->check(within(0, 1e6));
    command->add_option("--compression", options->compression, "Edges shrink by at most this, such as 0.1 for 10 %")
        ->check(within(0, 1.0));
    command->add_flag("--quasistatic", options->quasistatic, "Let springs come to rest near the given positions");
    command->add_option("--mu", options->mu, "How firmly quasistatics holds to the given positions")
        ->check(within(1e-9, 1e9))
        ->capture_default_str();
    command->add_option("--fixed", options->fixed,
                        "Vertices that stay, such as 0,12,24, or none (default: the scene's pins)");
    command->add_option("--tolerance", options->tolerance, "Relative, of the duality gap, of edges and of gradients")
        ->check(within(1e-12, 1.0))
        ->capture_default_str();
    command
        ->add_option("--frame-rate", options->frame_rate,
                     "Frames per second of point caches and OBJ files (default: 25)")
        ->check(within(1e-3, 1e6));
    add_up_option(*command, options->up, "point caches and OBJ files, which cannot say it");
    command
        ->add_option("--max-iterations", options->max_iterations,
                     "Give a frame up after so many (default: 20000 or 300)")
        ->check(CLI::Range(1, 100'000'000));
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->footer("example: tulle project walk.pc2 --rest shirt.obj --inextensible 0.01 -o out/mended.h5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
