// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/textile.h"
#include "apps/common/interrupt.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <fmt/format.h>

#include <memory>

namespace tulle::app {

namespace {

namespace fs = std::filesystem;

struct Options {
    workflows::TextileSettings settings;
    fs::path folder;
    std::vector<double> spacings = {7.5, 6, 5};  // [mm]
    int threads = 0;
    bool json = false;
};

constexpr FileFormat figures_format = {.name = "the figures of a textile test (JSON)", .beginning = "{\n  \"fabrics\""};

void run(Options options) {
    if (options.threads > 0) set_thread_count(options.threads);
    options.settings.spacings.clear();
    for (const double millimetres : options.spacings) options.settings.spacings.push_back(millimetres / 1000);
    if (!options.folder.empty()) prepare_target(options.folder / "textile.json", figures_format);
    const InterruptGuard guard;
    workflows::TextileReport report;
    {
        ProgressBar bar("testing");
        const auto longest = static_cast<long>(100 * workflows::SettleSettings{}.longest);
        options.settings.on_step = [&](const std::string& what, double seconds) {
            bar.show(static_cast<long>(100 * seconds), longest, what);
            return !guard.interrupted();
        };
        report = workflows::test_textiles(options.settings);
    }
    if (report.stopped) {
        fmt::print(stderr, "tulle: stopped before there was a report\n");
        throw CLI::RuntimeError(1);
    }
    if (!options.folder.empty()) {
        write_file(options.folder / "textile.json", to_json(report) + "\n", figures_format);
        draw_textiles(report, options.folder);
    }
    if (options.json)
        fmt::print("{}\n", to_json(report));
    else
        fmt::print("{}", to_table(report));
}

}  // namespace

void add_textile(CLI::App& app) {
    CLI::App* command = app.add_subcommand("textile", "Put fabrics through the drape and the cantilever test");
    const auto options = std::make_shared<Options>();
    command->add_option("fabrics", options->settings.fabrics, "Fabrics: cotton, silk, denim, rubber")->required();
    command->add_option("-o,--output", options->folder, "Folder for the pictures and the figures (default: neither)");
    command->add_option("--spacings", options->spacings, "Distances of the simulated threads of the discs [mm]")
        ->delimiter(',')
        ->check(CLI::Range(2.0, 20.0))
        ->capture_default_str();
    command->add_option("-t,--threads", options->threads, "Number of threads (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", options->json, "Print the figures as one JSON object");
    command->footer(
        "example: tulle textile cotton silk denim -o out/textile\n"
        "docs/fabrics.md explains the tests and has their results.");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
