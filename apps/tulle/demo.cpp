// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/demo.h"
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/render_options.h"

#include <fmt/format.h>

#include <memory>

namespace tulle::app {

namespace {

void print(const std::vector<workflows::DemoRow>& rows) {
    print_text("\n{:<12} {:>9} {:>12} {:>28} {:>26}\n", "method", "particles", "ms/frame",
               "cm to converged, 1st second", "cm to converged, all");
    for (const auto& row : rows)
        print_text("{:<12} {:>9} {:>12.2f} {:>28.2f} {:>26.2f}\n", row.method, row.particles, row.ms_per_frame,
                   100 * row.mean_distance_first_second, 100 * row.mean_distance);
    print_text(
        "\n'converged' is newton, which minimises every step to 1e-8. A flag is chaotic: after a while any small\n"
        "difference grows, so the first second says more about a solver. The caches are in {}.\n",
        rows.front().cache.parent_path().string());
}

// The full simulation beside the learned methods.
void print_headline(const std::vector<workflows::DemoRow>& rows) {
    const workflows::DemoRow& full = rows.front();
    print_text("The full simulation (admm) takes {:.2f} ms a frame.\n", full.ms_per_frame);
    for (const auto& row : rows)
        if (row.learned)
            print_text(
                "{:<12} takes {:.2f} ms: {:.1f} times as fast, {:.1f} cm from it on average over the first second.\n",
                row.method, row.ms_per_frame, full.ms_per_frame / row.ms_per_frame, 100 * row.to_full_first_second);
}

// All solvers side by side as a picture; the full simulation and the learned methods as a picture and a film.
void draw(const std::vector<workflows::DemoRow>& rows, const std::filesystem::path& folder) {
    workflows::RenderRequest solvers{.caches = {}, .output = folder / "solvers.png"};
    workflows::RenderRequest headline{.caches = {rows.front().cache}, .output = folder / "demo.png"};
    for (const auto& row : rows) (row.learned ? headline : solvers).caches.push_back(row.cache);
    render_with_progress(solvers);
    render_with_progress(headline);
    headline.output = folder / "demo.mp4";
    headline.look.quality = render::Quality::Draft;
    render_with_progress(headline);
    print_text("All solvers side by side: {}; the full simulation beside both learned methods: {} and {}.\n\n",
               (folder / "solvers.png").string(), (folder / "demo.mp4").string(), (folder / "demo.png").string());
    print_headline(rows);
}

void run(workflows::DemoSettings settings) {
    for (const char* picture : {"solvers.png", "demo.png", "demo.mp4"})
        workflows::prepare_picture(settings.folder / picture);
    const InterruptGuard guard;
    std::unique_ptr<ProgressBar> bar;
    settings.on_method = [&](const std::string& method) {
        print_text(stderr, "simulating with {}\n", method);
        bar = std::make_unique<ProgressBar>(method);
        return [&](const workflows::FrameProgress& progress) {
            bar->show(progress.done, progress.total);
            return !guard.interrupted();
        };
    };
    const std::vector<workflows::DemoRow> rows = workflows::demo(settings);
    bar.reset();
    print(rows);
    draw(rows, settings.folder);
}

}  // namespace

void add_demo(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "demo", "Simulate a scene with every solver and both learned methods, compare them and draw them side by side");
    const auto settings = std::make_shared<workflows::DemoSettings>();
    command->add_option("scene", settings->scene, "Scene file (TOML)")->capture_default_str();
    command->add_option("-o,--output", settings->folder, "Folder for the results")->capture_default_str();
    command->add_option("-n,--frames", settings->frames, "Number of frames")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    command->footer("example: tulle demo scenes/curtain.toml -o out --frames 50");
    command->callback([settings] { run(*settings); });
}

}  // namespace tulle::app
