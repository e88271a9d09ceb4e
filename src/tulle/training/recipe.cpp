// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/recipe.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/overrides.h"
#include "tulle/scene/table_reader.h"

namespace tulle::training {

namespace fs = std::filesystem;
using scene::TableReader;

namespace {

DataSource read_drapes(TableReader& table, DataSource data) {
    data.poses = table.integer("poses", {.min = 10, .max = 9999, .fallback = 0});
    if (data.poses == 0 && table.has("within"))
        table.fail("within", "is of poses that are made; say how many with poses");
    data.within = table.number("within", {.min = 0.01, .max = 1, .fallback = 1});
    data.examples = table.integer("examples", {.min = 1, .max = 1'000'000, .fallback = 0});
    table.exclude({"sweep", "use"}, "is for sequences");
    table.finish();
    return data;
}

DataSource read_source(TableReader& table, const fs::path& folder, scene::Examples examples) {
    DataSource data;
    if (table.has("developable")) {
        data.developable = table.integer("developable", {.min = 3, .max = 100'000});
        data.irregular = table.boolean("irregular", false);
        table.exclude({"folder", "scene", "sweep"}, "is for simulated sequences");
        table.finish();
        return data;
    }
    data.folder = folder / table.text("folder");
    if (table.has("scene")) data.scene = table.file("scene");
    if (examples == scene::Examples::DrapedPoses) return read_drapes(table, std::move(data));
    if (table.has("sweep")) data.sweep = table.file("sweep");
    if (table.has("use"))
        data.part = table.choice<datasets::Part>("use", {{"training", datasets::Part::Training},
                                                         {"validation", datasets::Part::Validation},
                                                         {"test", datasets::Part::Test}});
    table.finish();
    return data;
}

void refuse(TableReader& table, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (table.has(key)) table.fail(key, "is for methods with dense layers");
}

void read_network(TableReader table, const scene::NetworkDefaults& defaults, TrainerSettings& settings) {
    settings.hidden = defaults.hidden_layers;
    if (!defaults.is_dense) refuse(table, {"hidden", "activation"});
    if (table.has("hidden")) settings.hidden = table.integers("hidden", {.min = 1, .max = 1024});
    settings.activation = table.named("activation", neural::Activation::Relu, neural::parse_activation);
    // Residuals start as zero, and one scale for all numbers keeps millimetres comparable with millimetres.
    settings.zero_last_layer = defaults.is_canonical;
    settings.center_outputs = !defaults.is_canonical;
    settings.common_scale = true;
    settings.normalise = !defaults.is_canonical;
    settings.loss = defaults.is_canonical ? Loss::Relative : Loss::Mse;
    table.finish();
}

void read_budget(TableReader& table, TrainerSettings& settings) {
    const std::string budget = table.exactly_one_of({"epochs", "minutes"});
    if (budget == "epochs")
        settings.epochs = table.integer("epochs", {.min = 1, .max = 10'000'000});
    else
        settings.minutes = table.number("minutes", {.unit = "min", .max = 1e6, .positive = true});
}

void read_training(TableReader table, const scene::NetworkDefaults& defaults, TrainerSettings& settings) {
    if (!defaults.is_dense) refuse(table, {"loss", "engine"});
    const Loss usual = settings.loss;
    settings.loss = table.named("loss", usual, parse_loss);
    if ((settings.loss == Loss::Relative) != (usual == Loss::Relative))
        table.fail("loss", "canonical features have the relative loss, and no others do");
    settings.optimiser = table.named("optimiser", settings.optimiser, parse_optimiser);
    settings.schedule = table.named("schedule", settings.schedule, parse_schedule);
    settings.engine = table.named("engine", settings.engine, parse_engine);
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

Recipe read_recipe(TableReader& root, const fs::path& folder) {
    std::vector<std::pair<std::string, std::string>> methods;
    for (const std::string& name : scene::trainable_methods()) methods.emplace_back(name, name);
    Recipe recipe;
    recipe.method = root.choice("method", methods);
    recipe.name = root.text("name");
    recipe.course = scene::find_family(recipe.method)->read_course(root, recipe.method, recipe.name);
    for (TableReader& table : root.tables("data")) {
        const DataSource source = read_source(table, folder, recipe.course->examples());
        // Surfaces that lie anywhere teach nothing to a network of places in one scene.
        if (source.developable == 0 || recipe.course->defaults().is_canonical) recipe.data.push_back(source);
    }
    if (recipe.data.empty()) root.fail("data", "is missing: list at least one folder of sequences as [[data]]");
    recipe.output = folder / root.text("output", recipe.course->weights_name());
    read_network(root.table("network"), recipe.course->defaults(), recipe.training);
    // What is fitted in closed form needs no budget.
    if (!recipe.course->networks().empty() || root.has("training"))
        read_training(root.table("training"), recipe.course->defaults(), recipe.training);
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
