// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/trial.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"

#include <algorithm>

namespace tulle::training {

namespace {

constexpr long measured_samples = 200'000;

TrainerSettings settings_of(const Trial& trial) {
    const bool local = trial.subject.course.features == methods::Features::Local;
    return {.hidden = trial.hidden,
            .zero_last_layer = local,
            .center_outputs = !local,
            .common_scale = true,
            .loss = trial.loss,
            .learning_rate = 2e-3,
            .batch = 1024,
            .samples_per_epoch = trial.samples_per_epoch,
            .epochs = trial.epochs,
            .minutes = trial.epochs > 0 ? 0 : trial.minutes,
            // Thousands of short epochs would spend their time on validation.
            .validation_samples = trial.epochs > 0 ? 2'000 : 50'000};
}

// [m²] for a squared answer of 1.
double unit_squared(const datasets::TrainingData& data, const Subject& subject) {
    if (subject.course.features != methods::Features::Local) return 1;
    const datasets::Sequence& sequence = data.sequences.front();
    const double unit = methods::rest_spacing(sequence.grid, sequence.mesh.positions, subject.step);
    return unit * unit;
}

}  // namespace

Subject patches(int factor, methods::Features features) {
    return {.course = {.method = "miniature", .name = {}, .factor = factor, .features = features},
            .network = "patch",
            .step = factor};
}

Subject triangles(int level, methods::Features features) {
    return {.course = {.method = "hierarchy", .name = {}, .factor = 4, .features = features},
            .network = fmt::format("level.{}", level),
            .step = 4 >> (level - 1)};
}

SampleSubset::SampleSubset(const SampleSet& all, long count)
    : inputs_(std::min(count, all.count()), all.input_size()), outputs_(inputs_.rows(), all.output_size()) {
    Random random(1);
    for (long i = 0; i < inputs_.rows(); ++i) {
        const auto chosen = static_cast<long>(random.bits() % static_cast<std::uint64_t>(all.count()));
        all.cut(chosen, {inputs_.row(i).data(), static_cast<size_t>(inputs_.cols())},
                {outputs_.row(i).data(), static_cast<size_t>(outputs_.cols())});
    }
}

void SampleSubset::cut(long index, std::span<float> input, std::span<float> output) const {
    std::copy_n(inputs_.row(index).data(), inputs_.cols(), input.begin());
    std::copy_n(outputs_.row(index).data(), outputs_.cols(), output.begin());
}

TrialResult run_trial(const datasets::TrainingData& data, const Trial& trial, const TrialProgress& on_progress) {
    const scene::UpscalingCourse course(trial.subject.course);
    const std::string& network = trial.subject.network;
    const CutSamples training(data.sequences, data.split.training, course, network);
    const CutSamples validation(data.sequences, data.split.validation, course, network);
    const CutSamples test(data.sequences, data.split.test, course, network);
    const bool fixed_subset = trial.epochs > 0 && trial.samples_per_epoch > 0;
    const SampleSubset subset(training.set(), fixed_subset ? trial.samples_per_epoch : 1);
    const SampleSet chosen = fixed_subset ? SampleSet({&subset}) : training.set();
    TrainResult result = train(chosen, validation.set(), settings_of(trial), {}, [&](const TrainProgress& progress) {
        return !on_progress || on_progress(progress.fraction);
    });
    if (result.stopped) throw Error("stopped");
    const double squared = unit_squared(data, trial.subject);
    TrialResult done{.network = result.network, .history = std::move(result.history)};
    for (EpochRecord& record : done.history) record.training_loss *= squared;
    done.training_loss = squared * mean_loss(done.network, chosen, Loss::Mse, measured_samples);
    done.test_loss = squared * mean_loss(done.network, test.set(), Loss::Mse, measured_samples);
    done.minutes = done.history.empty() ? 0 : done.history.back().seconds / 60;
    return done;
}

}  // namespace tulle::training
