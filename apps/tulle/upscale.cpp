// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/upscale.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_counters.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/common/within.h"
#include "apps/tulle/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::UpscaleSettings settings;
    std::string grid;       // "13x19"; empty: the cache knows
    double frame_rate = 0;  // 0: the cache knows
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

nlohmann::json to_json(const workflows::UpscaleReport& report, const std::string& cache) {
    return {{"method", report.method},
            {"weights", report.weights.empty() ? nlohmann::json() : nlohmann::json(report.weights)},
            {"coarse_particles", report.coarse_particles},
            {"particles", report.particles},
            {"frames", report.frames},
            {"ms_per_frame", report.cost.median},
            {"mean_ms_per_frame", report.cost.mean},
            {"counters", report.counters.all()},
            {"cache", cache}};
}

void print(const workflows::UpscaleReport& report, const std::string& cache) {
    print_text("{}: {} frames of {} particles from {} by {}, {}\n", cache, report.frames, report.particles,
               report.coarse_particles, report.method, report.cost.in_words());
    if (!report.weights.empty()) print_text("  weights: {}\n", report.weights);
    print_counters(report.counters);
}

void run(Options options) {
    if (!options.grid.empty()) options.settings.grid = parse_grid(options.grid);
    if (options.frame_rate > 0) options.settings.frame_rate = options.frame_rate;
    const InterruptGuard guard;
    workflows::UpscaleReport report;
    {
        ProgressBar bar("upscaling");
        options.settings.on_frame = [&](const workflows::FrameProgress& progress) {
            bar.show(progress.done, progress.total);
            return !guard.interrupted();
        };
        report = workflows::upscale(options.settings);
    }
    const std::string cache = options.settings.cache.string();
    if (options.json)
        print_text("{}\n", to_json(report, cache).dump());
    else
        print(report, cache);
    if (!report.stopped) return;
    print_text(stderr, "tulle: stopped after {} frames, which are in the cache\n", report.frames);
    throw CLI::RuntimeError(1);
}

}  // namespace

void add_upscale(CLI::App& app) {
    CLI::App* command = app.add_subcommand("upscale", "Make a coarse animation fine, whatever simulated it");
    const auto options = std::make_shared<Options>();
    workflows::UpscaleSettings& settings = options->settings;
    command->add_option("animation", settings.source, "Cache (.h5) or point cache (.pc2) of a coarse cloth")
        ->required();
    command->add_option("-o,--output", settings.cache, "Cache to write (HDF5, with an XDMF file beside it)")
        ->required();
    command->add_option("--factor", settings.factor, "How many times finer (default: 2)")->check(CLI::Range(2, 64));
    command->add_option("-m,--method", settings.method,
                        "miniature, hierarchy, bilinear, biquadratic or bicubic (default: miniature for a grid, "
                        "hierarchy for any other mesh)");
    command->add_option("--weights", settings.weights,
                        "Weights of the method (default: those of the cache's scene, or else the general ones)");
    command->add_option("--grid", options->grid, "Rows and columns of a point cache, such as 25x37")
        ->type_name("ROWSxCOLUMNS");
    command->add_option("--frame-rate", options->frame_rate, "Frames per second of a point cache (default: 25)")
        ->check(within(1e-3, 1e6));
    command->add_flag("--json", options->json, "Print the result as one JSON object");
    command->footer("example: tulle upscale coarse.pc2 --grid 25x37 --factor 2 -o out/fine.h5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
