// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/recipe.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/scene/overrides.h"
#include "tulle/scene/table_reader.h"
#include "tulle/scene/upscaling.h"

namespace tulle::training {

namespace fs = std::filesystem;
using scene::TableReader;

namespace {

template <typename Value, typename Parse>
Value read_named(TableReader& table, const std::string& key, Value fallback, const Parse& parse) {
    const std::string name = table.text(key, to_string(fallback));
    try {
        return parse(name);
    } catch (const Error& error) {
        table.fail(key, fmt::format("is wrong: {}", error.what()));
    }
}

DataSource read_source(TableReader& table, const fs::path& folder) {
    DataSource data;
    data.folder = folder / table.text("folder");
    if (table.has("scene")) data.scene = table.file("scene");
    if (table.has("sweep")) data.sweep = table.file("sweep");
    table.finish();
    return data;
}

neural::Activation read_activation(TableReader& table) {
    using neural::to_string;
    return read_named(table, "activation", neural::Activation::Relu, neural::parse_activation);
}

void read_network(TableReader table, const Recipe& recipe, TrainerSettings& settings) {
    settings.hidden = recipe.method == "hierarchy" ? std::vector<int>{32, 32} : std::vector<int>{64, 64, 64};
    if (table.has("hidden")) settings.hidden = table.integers("hidden", {.min = 1, .max = 1024});
    settings.activation = read_activation(table);
    table.finish();
}

void read_budget(TableReader& table, TrainerSettings& settings) {
    const std::string budget = table.exactly_one_of({"epochs", "minutes"});
    if (budget == "epochs")
        settings.epochs = table.integer("epochs", {.min = 1, .max = 10'000'000});
    else
        settings.minutes = table.number("minutes", {.unit = "min", .max = 1e6, .positive = true});
}

void read_training(TableReader table, TrainerSettings& settings) {
    settings.loss = read_named(table, "loss", settings.loss, parse_loss);
    settings.optimiser = read_named(table, "optimiser", settings.optimiser, parse_optimiser);
    settings.schedule = read_named(table, "schedule", settings.schedule, parse_schedule);
    settings.engine = read_named(table, "engine", settings.engine, parse_engine);
    settings.learning_rate =
        table.number("learning_rate", {.max = 10, .positive = true, .fallback = settings.learning_rate});
    settings.final_learning_rate = table.number("final_learning_rate", {.min = 0, .max = 10, .fallback = 0});
    settings.weight_decay = table.number("weight_decay", {.min = 0, .max = 10, .fallback = 0});
    settings.batch = table.integer("batch", {.min = 1, .max = 10'000'000, .fallback = settings.batch});
    settings.samples_per_epoch =
        static_cast<long>(table.number("samples_per_epoch", {.min = 0, .max = 1e12, .fallback = 0}));
    settings.seed = table.seed("seed", 1);
    read_budget(table, settings);
    table.finish();
}

void read_calibration(TableReader table, Recipe& recipe) {
    recipe.calibration_sequences =
        table.integer("sequences", {.min = 1, .max = 1000, .fallback = recipe.calibration_sequences});
    recipe.calibration_evaluations =
        table.integer("evaluations", {.min = 1, .max = 100'000, .fallback = recipe.calibration_evaluations});
    recipe.calibration_seconds =
        table.number("seconds", {.unit = "s", .max = 1e4, .positive = true, .fallback = recipe.calibration_seconds});
    table.finish();
}

Recipe read_recipe(TableReader& root, const fs::path& folder) {
    Recipe recipe;
    recipe.method = root.choice<std::string>("method", {{"miniature", "miniature"}, {"hierarchy", "hierarchy"}});
    recipe.name = root.text("name");
    const int usual = recipe.method == "hierarchy" ? 4 : 2;
    const int largest = recipe.method == "hierarchy" ? 64 : 4;  // a larger patch is a cascade of smaller ones
    recipe.factor = root.integer("factor", {.min = 2, .max = largest, .fallback = usual});
    using methods::to_string;
    recipe.features = read_named(root, "features", recipe.features, methods::parse_features);
    const auto usual_scaling = recipe.features != methods::Features::Local ? methods::Scaling::Paper
                               : recipe.name == "general"                  ? methods::Scaling::Similarity
                                                                           : methods::Scaling::Calibrated;
    recipe.scaling = read_named(root, "scaling", usual_scaling, methods::parse_scaling);
    // Local features answer in differences to interpolation: they start as that. One scale for all numbers keeps
    // millimetres comparable with millimetres.
    recipe.training.zero_last_layer = recipe.features == methods::Features::Local;
    recipe.training.center_outputs = recipe.features != methods::Features::Local;
    recipe.training.common_scale = true;
    recipe.training.loss = recipe.features == methods::Features::Local ? Loss::Huber : Loss::Mse;
    for (TableReader& table : root.tables("data")) recipe.data.push_back(read_source(table, folder));
    if (recipe.data.empty()) root.fail("data", "is missing: list at least one folder of sequences as [[data]]");
    recipe.output =
        folder / root.text("output", scene::weights_name(recipe.method, recipe.name, recipe.factor, recipe.features));
    read_network(root.table("network"), recipe, recipe.training);
    read_training(root.table("training"), recipe.training);
    read_calibration(root.table("calibration"), recipe);
    root.finish();
    return recipe;
}

}  // namespace

Recipe load_recipe(const fs::path& path, const scene::Overrides& overrides) {
    const std::string source = path.string();
    toml::table table = scene::parse_toml(read_file(path, 1 << 20), source);
    scene::apply_overrides(table, overrides);
    scene::Document document{.source = source, .folder = path.parent_path(), .known_keys = {}};
    TableReader root(document, table);
    Recipe recipe = read_recipe(root, path.parent_path());
    recipe.source = source;
    return recipe;
}

}  // namespace tulle::training
