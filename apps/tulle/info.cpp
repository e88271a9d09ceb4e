// SPDX-License-Identifier: Apache-2.0
#include "apps/common/print_text.h"
#include "apps/tulle/commands.h"
#include "tulle/io/describe.h"
#include "tulle/workflows/describe_scene.h"
#include "tulle/workflows/describe_weights.h"

#include <fmt/format.h>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    std::filesystem::path file;
    bool json = false;
};

void run(const Options& options) {
    if (options.file.extension() == ".toml") {
        const workflows::SceneSummary summary = workflows::describe_scene(options.file);
        print_text("{}\n", options.json ? workflows::to_json(summary) : workflows::to_text(summary));
        return;
    }
    if (options.file.extension() == ".safetensors") {
        const workflows::WeightsSummary summary = workflows::describe_weights(options.file);
        print_text("{}\n", options.json ? workflows::to_json(summary) : workflows::to_text(summary));
        if (!summary.problem.empty()) throw CLI::RuntimeError(1);
        return;
    }
    const io::FileSummary summary = io::describe(options.file);
    print_text("{}\n", options.json ? io::to_json(summary) : io::to_text(summary));
    if (!summary.is_sound()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_info(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("info", "Tell what a scene, mesh, cache or weights file holds and whether it is sound");
    const auto options = std::make_shared<Options>();
    command
        ->add_option("file", options->file,
                     "Scene (.toml), mesh (.obj), cache (.h5, .h5.part) or weights (.safetensors: the model card)")
        ->required();
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer("example: tulle info out/flag.h5");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app
