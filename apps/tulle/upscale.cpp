// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/upscale.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_counters.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/common/within.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/export_cache.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::UpscaleSettings settings;
    std::string grid;       // "13x19"; empty: the cache or the mesh knows
    double frame_rate = 0;  // 0: the cache knows
    std::string up = "y";
    ProgressStyle progress = ProgressStyle::Text;
    bool json = false;
};

int parse_side(const std::string& digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
    return is_whole && value >= 2 && value <= 1'000'000 ? value : 0;
}

geometry::GridSize parse_grid(const std::string& text) {
    const size_t cross = text.find('x');
    const int rows = parse_side(text.substr(0, cross));
    const int columns = cross == std::string::npos ? 0 : parse_side(text.substr(cross + 1));
    if (rows == 0 || columns == 0)
        throw CLI::ValidationError("--grid: '" + text + "' is not rows and columns, such as 25x37");
    return {rows, columns};
}

nlohmann::json to_json(const workflows::UpscaleReport& report, const std::string& output) {
    const auto& grid = report.grid;
    return {{"method", report.method},
            {"weights", report.weights.empty() ? nlohmann::json() : nlohmann::json(report.weights)},
            {"coarse_particles", report.coarse_particles},
            {"particles", report.particles},
            {"grid", grid ? nlohmann::json({grid->rows, grid->columns}) : nlohmann::json()},
            {"frames", report.frames},
            {"first_frame", report.frame_numbers.first},
            {"frame_rate", report.frame_rate},
            {"ms_per_frame", report.cost.median},
            {"mean_ms_per_frame", report.cost.mean},
            {"counters", report.counters.all()},
            {"output", output}};
}

void print(const workflows::UpscaleReport& report, const std::string& output) {
    print_text("{}: {} frames of {} particles from {} by {}, {}\n", output, report.frames, report.particles,
               report.coarse_particles, report.method, report.cost.in_words());
    if (report.grid) print_text("  the coarse cloth is {} rows of {}\n", report.grid->rows, report.grid->columns);
    if (!report.weights.empty()) print_text("  weights: {}\n", report.weights);
    print_counters(report.counters);
}

workflows::UpscaleReport upscale_with_progress(workflows::UpscaleSettings settings, ProgressStyle style) {
    const InterruptGuard guard;
    auto bar = std::make_unique<ProgressBar>("upscaling", style);
    bool is_exporting = false;
    settings.on_frame = [&](const workflows::FrameProgress& progress) {
        bar->show(progress.done, progress.total);
        return !guard.interrupted();
    };
    settings.on_export = [&](double done) {
        if (!is_exporting) bar = std::make_unique<ProgressBar>("exporting", style);
        is_exporting = true;
        constexpr long parts = 100;
        bar->show(std::max(1L, std::lround(done * parts)), parts);
        return !guard.interrupted();
    };
    return workflows::upscale(settings);
}

void run(Options options) {
    workflows::AnimationSource& source = options.settings.source;
    if (!options.grid.empty()) source.grid = parse_grid(options.grid);
    if (options.frame_rate > 0) source.frame_rate = options.frame_rate;
    source.up_axis = options.up[0];
    const workflows::UpscaleReport report = upscale_with_progress(options.settings, options.progress);
    const std::string output = options.settings.output.string();
    if (options.json)
        print_text("{}\n", to_json(report, output).dump());
    else
        print(report, output);
    if (!report.stopped) return;
    print_text(stderr, "tulle: stopped after {} frames, which are in the cache\n", report.frames);
    throw CLI::RuntimeError(1);
}

}  // namespace

void add_upscale(CLI::App& app) {
    CLI::App* command = app.add_subcommand("upscale", "Make a coarse animation fine, whatever simulated it");
    const auto options = std::make_shared<Options>();
    workflows::UpscaleSettings& settings = options->settings;
    command
        ->add_option(
            "animation", settings.source.path,
            "A coarse cloth: cache (.h5), point cache (.pc2), glTF with morph targets (.glb, .gltf), or a folder or "
            "pattern of OBJ files")
        ->required();
    command
        ->add_option(
            "-o,--output", settings.output,
            "What to write, by its name: .h5 (a cache), .pc2 (with the fine mesh as .obj beside it), .usda, .glb, "
            ".gltf, or a folder for OBJ files")
        ->required();
    command->add_option("--mesh", settings.source.rest,
                        "OBJ file with the vertices of a point cache in the same order, quads or triangles; a grid is "
                        "recognised, its vertices come first in the result, and its texture coordinates are kept");
    command->add_option("--factor", settings.factor, "How many times finer (default: 2)")->check(CLI::Range(2, 64));
    command->add_option("-m,--method", settings.method,
                        "miniature, hierarchy, bilinear, biquadratic, bicubic or butterfly (default: miniature for a "
                        "grid, hierarchy for any other mesh)");
    command->add_option("--weights", settings.weights,
                        "Weights of the method (default: those of a cache's scene, or else the general ones)");
    command->add_option("--grid", options->grid, "Rows and columns of a point cache without a mesh, such as 25x37")
        ->type_name("ROWSxCOLUMNS");
    command
        ->add_option("--frame-rate", options->frame_rate,
                     "Frames per second of point caches and OBJ files (default: 25)")
        ->check(within(1e-3, 1e6));
    add_up_option(*command, options->up, "point caches and OBJ files, read and written");
    add_progress_option(*command, options->progress);
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->footer("example: tulle upscale coarse.pc2 --mesh coarse.obj --factor 2 -o out/fine.pc2");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
