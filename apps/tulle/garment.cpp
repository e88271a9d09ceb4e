// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "tulle/workflows/make_garment.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    workflows::GarmentSettings settings;
    bool json = false;
};

void run(const Options& options) {
    workflows::GarmentSettings settings = options.settings;
    const InterruptGuard guard;
    workflows::GarmentReport report;
    {
        ProgressBar bar("draping");
        settings.on_step = [&](const workflows::FrameProgress& progress) {
            bar.show(progress.done, progress.total);
            return !guard.interrupted();
        };
        report = workflows::make_garment(settings);
    }
    if (report.stopped) {
        print_text(stderr, "tulle: stopped; the garment was not written\n");
        throw CLI::RuntimeError(1);
    }
    const std::string file = (settings.folder / (settings.name + ".obj")).string();
    if (options.json) {
        const nlohmann::ordered_json json = {{"garment", settings.name},
                                             {"vertices", report.vertices},
                                             {"edges", report.edges},
                                             {"steps", report.steps},
                                             {"speed", report.speed},
                                             {"mean_speed", report.mean_speed},
                                             {"longest_edge", report.longest},
                                             {"crossings", report.crossings},
                                             {"cuts", report.cuts},
                                             {"file", file}};
        print_text("{}\n", json.dump());
        return;
    }
    print_text(
        "{}: {} vertices, {} edges, draped in {} steps; vertices move at {:.2g} m/s, the fastest at {:.2g} m/s; "
        "longest "
        "edge {:.1f} % of its rest length\n",
        file, report.vertices, report.edges, report.steps, report.mean_speed, report.speed, 100 * report.longest);
    print_text("  crossings of the cloth {}, cuts into the body {}\n", report.crossings, report.cuts);
}

}  // namespace

void add_garment(CLI::App& app) {
    CLI::App* command = app.add_subcommand("garment", "Sew one of our garments and drape it on the mannequin");
    const auto options = std::make_shared<Options>();
    command->add_option("name", options->settings.name, "t-shirt or skirt")
        ->required()
        ->check(CLI::IsMember(workflows::garment_names()));
    command->add_option("-o,--output", options->settings.folder, "Folder for NAME.obj and NAME-pattern.obj")
        ->required()
        ->check(CLI::ExistingDirectory);
    command->add_option("--spacing", options->settings.spacing, "Of vertices, in metres")
        ->check(CLI::Range(0.005, 0.05))
        ->capture_default_str();
    command->add_option("--fabric", options->settings.fabric, "A fabric of scenes")->capture_default_str();
    command->add_option("--stretch", options->settings.stretch, "Its stiffness, in N/m: of knitted cloth by default")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--json", options->json, "Print the result as JSON");
    command->footer("example: tulle garment t-shirt -o scenes/meshes");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
