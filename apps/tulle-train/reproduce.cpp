// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle-train/commands.h"
#include "tulle/core/error.h"
#include "tulle/training/reproduce/page.h"
#include "tulle/training/reproduce/reproduction.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    std::string paper;
    training::ReproduceSettings settings;
};

void run(Options options) {
    const InterruptGuard guard;
    std::string stage;
    std::unique_ptr<ProgressBar> bar;
    options.settings.on_progress = [&](const std::string& what, double fraction) {
        if (what != stage) {
            bar = std::make_unique<ProgressBar>(what);
            print_text(stderr, "{}\n", what);
        }
        stage = what;
        bar->show(std::lround(1000 * fraction), 1000);
        return !guard.interrupted();
    };
    training::prepare_page(options.settings.output / (options.paper + ".md"));
    training::Reproduction reproduction(options.settings);
    for (const training::Paper& paper : training::papers())
        if (paper.name == options.paper) paper.reproduce(reproduction);
    bar.reset();
    print_text("written to {}\n", (options.settings.output / (options.paper + ".md")).string());
}

}  // namespace

void add_reproduce(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reproduce", "Make a paper's tables and figures, its own beside ours");
    const auto options = std::make_shared<Options>();
    std::vector<std::string> names;
    for (const training::Paper& paper : training::papers()) names.push_back(paper.name);
    command->add_option("paper", options->paper, fmt::format("{}", fmt::join(names, " or ")))
        ->required()
        ->check(CLI::IsMember(names));
    command->add_flag("--quick", options->settings.quick, "Everything once and tiny, within 90 seconds");
    command->add_option("--seeds", options->settings.seeds, "coercing: trainings of each row")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command
        ->add_option("--poses", options->settings.poses,
                     "coercing: learn from so many draped poses; those that are missing are made (default: 4250; the "
                     "paper's 8,000 examples are 8250), and from as many but at most 1,250 of half the range")
        ->check(CLI::Range(10, 9999));
    command
        ->add_option("--minutes", options->settings.minutes,
                     "coercing: begin no more trainings after so many; what is finished is kept for the next time")
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--minutes-per-cell", options->settings.minutes_per_cell,
                     "hierarchy, miniature: train each network of a table until its loss is flat, but at most so long "
                     "in processor time; what is finished is kept for the next time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("-o,--output", options->settings.output, "Folder for the page and its pictures")
        ->capture_default_str();
    command->add_option("--project", options->settings.project, "Folder with scenes/, models/ and data/")
        ->capture_default_str();
    command->footer("example: tulle reproduce miniature --quick -o /tmp/results");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
