// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/common/within.h"
#include "apps/tulle-train/commands.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/training/train_recipe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    std::string recipe;
    scene::Overrides overrides;
    training::TrainRecipeSettings settings;
    int threads = 0;
    bool json = false;
};

std::string command_line(const Options& options) {
    std::string command = "tulle train " + options.recipe;
    for (const std::string& setting : options.overrides) command += " --set " + setting;
    return command;
}

void print(const training::TrainRecipeReport& report) {
    for (const auto& [name, result] : report.networks)
        print_text("  {}: {} epochs, best validation loss {:.3e} at epoch {}\n", name, result.history.size(),
                   result.best_validation_loss, result.best_epoch);
    if (report.card.test_error.empty()) print_text("  none of the test sequences can tell how good it is\n");
    for (const auto& [what, error] : report.card.test_error) print_text("  test {:<24} {:.4e}\n", what, error);
    print_text("  {:.1f} minutes of training; written to {}\n", report.card.training_minutes, report.weights.string());
}

void run(Options options) {
    if (options.threads > 0) set_thread_count(options.threads);
    const training::Recipe recipe = training::load_recipe(options.recipe, options.overrides);
    options.settings.command = command_line(options);
    const InterruptGuard guard;
    training::TrainRecipeReport report;
    {
        std::string stage;
        std::unique_ptr<ProgressBar> bar;
        options.settings.on_progress = [&](const training::RecipeProgress& progress) {
            if (progress.stage != stage) bar = std::make_unique<ProgressBar>(progress.stage);
            stage = progress.stage;
            bar->show(std::lround(1000 * progress.fraction), 1000, progress.figures);
            return !guard.interrupted();
        };
        report = training::train_recipe(recipe, options.settings);
    }
    if (report.stopped) {
        print_text(stderr, "tulle: stopped; --resume goes on from there\n");
        throw CLI::RuntimeError(1);
    }
    if (!report.diverged.empty()) throw Error("{}; '{}' was not written", report.diverged, recipe.output.string());
    if (options.json) {
        nlohmann::json card = nlohmann::json::parse(to_json(report.card));
        card["weights"] = report.weights.string();
        print_text("{}\n", card.dump());
    } else {
        print_text("{} for {}\n", report.card.method, report.card.scene);
        print(report);
    }
}

}  // namespace

void add_train(CLI::App& app) {
    CLI::App* command = app.add_subcommand("train", "Follow a recipe from sequences to a weights file");
    const auto options = std::make_shared<Options>();
    command->add_option("recipe", options->recipe, "Recipe file (TOML)")->required();
    command->add_flag("--resume", options->settings.resume, "Go on where an earlier run stopped");
    command->add_flag("--calibrate", options->settings.only_calibrate,
                      "Only fit the coarse cloth anew; the weights file keeps its networks");
    command->add_option("--set", options->overrides, "Change a setting of the recipe, such as features='paper'")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--work", options->settings.work,
                        "Folder for checkpoints, logs and curves (default: beside the weights)");
    command
        ->add_option("--checkpoint-every", options->settings.checkpoint_interval,
                     "Seconds between checkpoints, which --resume goes on from")
        ->capture_default_str()
        ->check(within(0, 1e6));
    command->add_option("-t,--threads", options->threads, "Number of threads (default: all cores)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", options->json, "Print the model card as one JSON object");
    command->footer("example: tulle train models/flag-miniature.toml --set training.minutes=5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
