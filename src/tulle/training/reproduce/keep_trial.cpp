// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/model_card.h"
#include "tulle/neural/network_tensors.h"
#include "tulle/training/reproduce/trial.h"

#include <fmt/format.h>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

// What a kept trial must have in common with the one that is asked for.
std::string description(const datasets::TrainingData& data, const Trial& trial) {
    long frames = 0;
    for (const size_t index : data.split.training) frames += data.sequences[index].frame_count();
    return fmt::format(
        "{}, {} features, factor {}, {}; hidden [{}]; {} sequences for training, {} frames; {}; {}; seed {}",
        trial.subject.course.method, to_string(trial.subject.course.features), trial.subject.course.factor,
        trial.subject.network, fmt::join(trial.hidden, ", "), data.split.training.size(), frames,
        trial.pairs > 0 ? fmt::format("{} pairs of them", trial.pairs) : "all pairs",
        trial.epochs > 0 ? fmt::format("{} epochs", trial.epochs) : fmt::format("at most {:g} minutes", trial.minutes),
        trial.seed);
}

TrialResult read_trial(const neural::Model& model, const methods::ModelCard& card, const fs::path& log) {
    const auto figure = [&](const char* name) { return card.test_error.at(name); };
    return {.network = model.networks.begin()->second,
            .history = read_log(log),
            .training_loss = figure("training_loss"),
            .test_loss = figure("test_loss"),
            .interpolation_loss = figure("interpolation_loss"),
            .minutes = card.training_minutes,
            .last_gain = figure("last_gain"),
            .is_flat = figure("is_flat") != 0};
}

}  // namespace

TrialResult keep_trial(const fs::path& file, const datasets::TrainingData& data, const Trial& trial,
                       const TrialProgress& on_progress) {
    const fs::path weights = file.string() + ".safetensors", log = file.string() + ".csv";
    const std::string wanted = description(data, trial);
    if (fs::exists(weights)) {
        const neural::Model model = neural::read_model(weights);
        const methods::ModelCard card = methods::parse_card(model.card, weights.string());
        if (card.data == wanted) return read_trial(model, card, log);
    }
    TrialResult result = run_trial(data, trial, on_progress);
    fs::create_directories(file.parent_path());
    write_log(log, result.history);  // first: the trial counts as kept once its weights are there
    const methods::ModelCard card{.method = trial.subject.course.method,
                                  .scene = data.sequences.front().scene_name,
                                  .data = wanted,
                                  .training_minutes = result.minutes,
                                  .test_error = {{"training_loss", result.training_loss},
                                                 {"test_loss", result.test_loss},
                                                 {"interpolation_loss", result.interpolation_loss},
                                                 {"last_gain", result.last_gain},
                                                 {"is_flat", result.is_flat ? 1 : 0}}};
    neural::write_model(weights, {.card = to_json(card), .networks = {{trial.subject.network, result.network}}});
    return result;
}

}  // namespace tulle::training
