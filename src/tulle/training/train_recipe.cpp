// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/train_recipe.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/line_plot.h"
#include "tulle/neural/weights_file.h"
#include "tulle/training/checkpoint.h"
#include "tulle/training/curves.h"
#include "tulle/training/dense_learner.h"
#include "tulle/training/garment_learner.h"
#include "tulle/training/history.h"
#include "tulle/training/samples.h"

#include <fmt/format.h>

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

std::string data_in_words(const Recipe& recipe, const datasets::TrainingData& data, long pairs) {
    std::vector<std::string> sources;
    for (const DataSource& source : recipe.data) {
        sources.push_back(source.irregular         ? "irregular developable surfaces"
                          : source.developable > 0 ? "developable surfaces"
                          : source.sweep.empty()
                              ? source.folder.filename().string()
                              : source.scene.filename().string() + " by " + source.sweep.filename().string());
    }
    return fmt::format("{}; {} training, {} validation and {} test {}; {} training pairs", fmt::join(sources, ", "),
                       data.split.training.size(), data.split.validation.size(), data.split.test.size(),
                       data.drapes.empty() ? "sequences" : "poses", pairs);
}

// What the training of one network writes beside the weights, or into the folder for it.
struct NetworkFiles {
    fs::path checkpoint, log, curves;

    NetworkFiles(const Recipe& recipe, const TrainRecipeSettings& settings, const std::string& network) {
        const fs::path folder = settings.work.empty() ? recipe.output.parent_path() : settings.work;
        const std::string stem = (folder / recipe.output.stem()).string() + "." + network;
        checkpoint = stem + ".train";
        log = stem + ".csv";
        curves = stem + ".curves.svg";
    }
};

// Refuses before the work what could not be written after it.
void prepare_files(const Recipe& recipe, const TrainRecipeSettings& settings) {
    prepare_target(recipe.output, neural::weights_format);
    if (settings.only_calibrate) return;
    for (const std::string& network : recipe.course->networks()) {
        const NetworkFiles files(recipe, settings, network);
        prepare_target(files.checkpoint, checkpoint_format);
        prepare_target(files.log, log_format);
        prepare_target(files.curves, io::svg_format);
    }
}

// One recipe on its way to a weights file.
class RecipeTraining {
public:
    RecipeTraining(const Recipe& recipe, const TrainRecipeSettings& settings, const datasets::TrainingData& data)
        : recipe_(recipe), settings_(settings), data_(data) {}

    TrainRecipeReport run() {
        report_.card = {.method = recipe_.method, .scene = recipe_.name, .command = settings_.command, .date = today()};
        if (recipe_.course->fits_first()) recipe_.course->fit(data_, calibration_progress(), report_.card);
        pairs_ = recipe_.course->fitted_pairs();
        for (const std::string& name : recipe_.course->networks()) {
            train_network(name);
            if (report_.stopped || !report_.diverged.empty()) return std::move(report_);
        }
        report_.card.data = data_in_words(recipe_, data_, pairs_);
        progress({"measuring on unseen sequences", 0, ""});
        recipe_.course->judge(learned_, data_);
        for (const auto& [name, error] : recipe_.course->test_errors(learned_, data_))
            report_.card.test_error[name] = error;
        report_.card = recipe_.course->save(recipe_.output, report_.card, learned_, data_);
        report_.weights = recipe_.output;
        return std::move(report_);
    }

    TrainRecipeReport calibrate_again() {
        report_.card = recipe_.course->fit_again(recipe_.output, data_, calibration_progress());
        report_.weights = recipe_.output;
        return std::move(report_);
    }

private:
    bool progress(const RecipeProgress& now) const { return !settings_.on_progress || settings_.on_progress(now); }

    scene::Course::OnProgress calibration_progress() const {
        return [this](double fraction) { return progress({"calibrating", fraction, ""}); };
    }

    void train_network(const std::string& name) {
        if (const methods::GarmentLesson* lesson = recipe_.course->garment_lesson()) {
            GarmentLearner learner(*lesson);
            pairs_ = learner.sample_count();
            learned_.parameters[name] = fit_and_report(name, learner);
            return;
        }
        if (const auto learner = recipe_.course->make_learner(name, data_, learned_)) {
            pairs_ = learner->sample_count();
            learned_.parameters[name] = fit_and_report(name, *learner);
            return;
        }
        const CutSamples training(data_.sequences, data_.split.training, *recipe_.course, name);
        const CutSamples validation(data_.sequences, data_.split.validation, *recipe_.course, name);
        pairs_ = training.set().count();
        DenseLearner learner(training.set(), validation.set(), recipe_.training, recipe_.course->symmetry(name));
        learned_.networks[name] = learner.network(fit_and_report(name, learner));
    }

    // The best parameters.
    std::vector<float> fit_and_report(const std::string& name, datasets::Learner& learner) {
        const NetworkFiles place(recipe_, settings_, name);
        const TrainerFiles files{.checkpoint = place.checkpoint,
                                 .log = place.log,
                                 .resume = settings_.resume,
                                 .checkpoint_interval = settings_.checkpoint_interval};
        FitResult result = fit(learner, recipe_.training, files, [&](const TrainProgress& now) {
            return progress({"training " + name, now.fraction,
                             fmt::format("loss {:.3e}, validation {:.3e}, {:.0f} k samples/s", now.training_loss,
                                         now.best_validation_loss, now.samples_per_second / 1000)});
        });
        if (!result.history.empty()) {
            write_curves(place.curves, result.history, recipe_.output.stem().string() + " " + name,
                         recipe_.training.loss);
            report_.card.training_minutes += result.history.back().seconds / 60;
        }
        report_.stopped = result.stopped;
        if (result.diverged) report_.diverged = fmt::format("network '{}': {}", name, result.message);
        return report_.networks.emplace(name, std::move(result)).first->second.parameters;
    }

    const Recipe& recipe_;
    const TrainRecipeSettings& settings_;
    const datasets::TrainingData& data_;
    scene::Learned learned_;
    long pairs_ = 0;  // of the last network
    TrainRecipeReport report_;
};

}  // namespace

TrainRecipeReport train_recipe(const Recipe& recipe, const TrainRecipeSettings& settings) {
    prepare_files(recipe, settings);
    const datasets::TrainingData data =
        load_data(recipe.data, recipe.course->examples(), recipe.training.seed, settings.on_progress);
    RecipeTraining training(recipe, settings, data);
    return settings.only_calibrate ? training.calibrate_again() : training.run();
}

}  // namespace tulle::training
