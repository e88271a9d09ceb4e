// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/train_recipe.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/training/curves.h"
#include "tulle/training/samples.h"
#include "tulle/workflows/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ctime>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

// The networks of a model: their names and what each learns from.
std::vector<std::pair<std::string, Pieces>> networks_of(const Recipe& recipe) {
    if (recipe.method == "miniature") return {{"patch", {recipe.method, recipe.factor, 1, recipe.features}}};
    std::vector<std::pair<std::string, Pieces>> levels;
    for (int level = 1; level <= std::countr_zero(static_cast<unsigned>(recipe.factor)); ++level)
        levels.push_back({fmt::format("level.{}", level), {recipe.method, recipe.factor, level, recipe.features}});
    return levels;
}

std::string data_in_words(const Recipe& recipe, const RecipeData& data, long pairs) {
    std::vector<std::string> sources;
    for (const DataSource& source : recipe.data) {
        sources.push_back(source.sweep.empty()
                              ? source.folder.filename().string()
                              : source.scene.filename().string() + " by " + source.sweep.filename().string());
    }
    return fmt::format("{}; {} training, {} validation and {} test sequences; {} training pairs",
                       fmt::join(sources, ", "), data.split.training.size(), data.split.validation.size(),
                       data.split.test.size(), pairs);
}

std::vector<datasets::Sequence> choose(const RecipeData& data, const std::vector<size_t>& part, size_t most) {
    std::vector<datasets::Sequence> chosen;
    for (size_t i = 0; i < std::min(most, part.size()); ++i) chosen.push_back(data.sequences[part[i]]);
    return chosen;
}

// Multipliers are a fluke of their sequences, and not kept, unless they bring the coarse cloth nearer on others too.
void calibrate(const Recipe& recipe, const RecipeData& data, const TrainRecipeSettings& settings,
               methods::ModelCard& card) {
    const auto most = static_cast<size_t>(recipe.calibration_sequences);
    workflows::CalibrateSettings calibrate_settings{.law = {.factor = recipe.factor},
                                                    .seconds = recipe.calibration_seconds,
                                                    .evaluations = recipe.calibration_evaluations};
    calibrate_settings.on_evaluation = [&](int done, int total) {
        return !settings.on_progress || settings.on_progress({"calibrating", static_cast<double>(done) / total, ""});
    };
    const methods::Calibration fitted =
        workflows::calibrate(choose(data, data.split.training, most), calibrate_settings).calibration;
    const auto error = [&](const std::vector<size_t>& part, const methods::Calibration& calibration) {
        return workflows::coarse_error(choose(data, part, part.size()), calibrate_settings, calibration);
    };
    const bool helps = error(data.split.validation, fitted) < error(data.split.validation, {});
    card.calibration = helps ? fitted : methods::Calibration{};
    card.test_error["coarse_by_similarity"] = error(data.split.test, {});
    card.test_error["coarse_calibrated"] = error(data.split.test, card.calibration);
}

TrainResult train_network(const Recipe& recipe, const RecipeData& data, const std::string& name, const Pieces& pieces,
                          const TrainRecipeSettings& settings, long& pairs) {
    const CutSamples training(data.sequences, data.split.training, pieces);
    const CutSamples validation(data.sequences, data.split.validation, pieces);
    pairs = training.set().count();
    const fs::path folder = settings.work.empty() ? recipe.output.parent_path() : settings.work;
    const std::string stem = (folder / recipe.output.stem()).string() + "." + name;
    const TrainerFiles files{.checkpoint = stem + ".train", .log = stem + ".csv", .resume = settings.resume};
    TrainResult result =
        train(training.set(), validation.set(), recipe.training, files, [&](const TrainProgress& progress) {
            return !settings.on_progress ||
                   settings.on_progress(
                       {"training " + name, progress.fraction,
                        fmt::format("loss {:.3e}, validation {:.3e}, {:.0f} k samples/s", progress.training_loss,
                                    progress.best_validation_loss, progress.samples_per_second / 1000)});
        });
    if (!result.history.empty())
        write_curves(stem + ".curves.svg", result.history, recipe.output.stem().string() + " " + name,
                     recipe.training.loss);
    return result;
}

methods::ModelCard begin_card(const Recipe& recipe, const RecipeData& data, const TrainRecipeSettings& settings) {
    const geometry::GridSize grid = data.sequences.front().grid;
    bool same = true;
    for (const datasets::Sequence& sequence : data.sequences) same = same && sequence.grid == grid;
    return {.method = recipe.method,
            .scene = recipe.name,
            .factor = recipe.factor,
            .features = recipe.features,
            .scaling = recipe.scaling,
            .calibration = {},
            .grid = same ? grid : geometry::GridSize{0, 0},
            .layers = {},
            .activation = recipe.training.activation,
            .data = {},
            .command = settings.command,
            .date = today(),
            .training_minutes = 0,
            .test_error = {}};
}

// The networks stay, and what the card says about them.
TrainRecipeReport calibrate_again(const Recipe& recipe, const TrainRecipeSettings& settings) {
    methods::TrainedModel model = methods::load_trained_model(recipe.output);
    if (model.card.scaling != methods::Scaling::Calibrated)
        throw Error("'{}' has {} scaling, so there is nothing to calibrate", recipe.output.string(),
                    to_string(model.card.scaling));
    const ThreadCountScope one(1);
    calibrate(recipe, load_data(recipe, settings.on_progress), settings, model.card);
    save_trained_model(recipe.output, model);
    return {.card = model.card, .weights = recipe.output, .networks = {}};
}

}  // namespace

TrainRecipeReport train_recipe(const Recipe& recipe, const TrainRecipeSettings& settings) {
    if (settings.only_calibrate) return calibrate_again(recipe, settings);
    if (!settings.work.empty()) fs::create_directories(settings.work);
    RecipeData data;
    TrainRecipeReport report;
    {
        const ThreadCountScope one(1);
        data = load_data(recipe, settings.on_progress);
        report.card = begin_card(recipe, data, settings);
        if (recipe.scaling == methods::Scaling::Calibrated) calibrate(recipe, data, settings, report.card);
    }
    methods::TrainedModel model{.source = recipe.output.string(), .card = {}, .networks = {}};
    long pairs = 0;
    for (const auto& [name, pieces] : networks_of(recipe)) {
        TrainResult result = train_network(recipe, data, name, pieces, settings, pairs);
        report.stopped = result.stopped;
        report.message = result.message;
        report.card.layers = result.network.sizes();
        if (!result.history.empty()) report.card.training_minutes += result.history.back().seconds / 60;
        model.networks.emplace(name, result.network);
        report.networks.emplace(name, std::move(result));
        if (report.stopped) return report;
    }
    report.card.data = data_in_words(recipe, data, pairs);
    model.card = report.card;
    if (settings.on_progress) settings.on_progress({"measuring on unseen sequences", 0, ""});
    for (const auto& [name, error] : test_errors(model, data)) report.card.test_error[name] = error;
    model.card = report.card;
    save_trained_model(recipe.output, model);
    report.weights = recipe.output;
    return report;
}

}  // namespace tulle::training
