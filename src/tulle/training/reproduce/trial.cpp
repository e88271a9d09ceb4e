// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/trial.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/training/dense_learner.h"
#include "tulle/training/reproduce/metric_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace tulle::training {

namespace {

constexpr long measured_samples = 50'000;
constexpr long epoch_samples = 100'000;      // after which the loss is looked at
constexpr long validation_samples = 20'000;  // each time
constexpr long fewer_samples = 2'000;        // where thousands of short epochs would spend their time on it
constexpr std::array<double, 4> round_shares = {1.0 / 15, 2.0 / 15, 4.0 / 15, 8.0 / 15};

// [s] of processor time, per thread: budgets in it are the same whatever else the machine does.
double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC) / thread_count();
}

TrainerSettings settings_of(const Trial& trial, long pairs) {
    const bool canonical = is_canonical(trial.subject.course.features);
    return {.hidden = trial.hidden,
            .zero_last_layer = canonical,
            .center_outputs = !canonical,
            .common_scale = true,
            .normalise = !canonical,
            .loss = canonical ? Loss::Relative : Loss::Mse,
            .learning_rate = 2e-3,
            .batch = 1024,
            .samples_per_epoch = std::min(pairs, epoch_samples),
            .epochs = trial.epochs,
            .minutes = trial.epochs > 0 ? 0 : trial.minutes,
            .seed = trial.seed};
}

AnswerTerms terms_of(const datasets::TrainingData& data, const Subject& subject,
                     const std::optional<neural::Symmetry>& symmetry) {
    const datasets::Sequence& sequence = data.sequences.front();
    return {.unit = methods::rest_spacing(sequence.grid, sequence.mesh.positions, subject.step), .symmetry = symmetry};
}

// A dense network that is judged in metres, and begins where the round before it ended.
class JudgedInMetres final : public datasets::Learner {
public:
    JudgedInMetres(DenseLearner& dense, const SampleSet& judged, long most, const AnswerTerms& terms)
        : dense_(dense), judged_(judged), most_(most), terms_(terms), start_(dense.initial_parameters()) {}

    void go_on_from(std::vector<float> parameters) { start_ = std::move(parameters); }

    long parameter_count() const override { return dense_.parameter_count(); }
    std::vector<float> initial_parameters() const override { return start_; }
    long sample_count() const override { return dense_.sample_count(); }
    datasets::BatchLoss gradient(std::span<const long> batch, std::span<const float> parameters,
                                 std::span<float> gradient) override {
        return dense_.gradient(batch, parameters, gradient);
    }
    double mean_loss(double sum, long samples) const override { return dense_.mean_loss(sum, samples); }
    datasets::ValidationErrors validate(std::span<const float> parameters) const override {
        const MetricLoss loss = metric_loss(dense_.network(parameters), judged_, terms_, most_);
        return {.loss = loss.answers, .relative_error = std::sqrt(loss.answers / loss.zeros)};
    }
    std::map<std::string, std::string> identity() const override { return dense_.identity(); }

private:
    DenseLearner& dense_;
    const SampleSet& judged_;
    long most_;  // of its samples
    const AnswerTerms& terms_;
    std::vector<float> start_;
};

void append(std::vector<EpochRecord> round, std::vector<EpochRecord>& history) {
    const EpochRecord before = history.empty() ? EpochRecord{} : history.back();
    for (EpochRecord& record : round) {
        record.epoch += before.epoch;
        record.samples_seen += before.samples_seen;
        record.seconds += before.seconds;
        history.push_back(record);
    }
}

// Returns the best parameters.
std::vector<float> train_in_rounds(JudgedInMetres& learner, TrainerSettings whole, TrialResult& result,
                                   const TrialProgress& on_progress) {
    const bool one_round = whole.epochs > 0;
    double before = 0;  // best validation loss of the rounds before
    std::vector<float> best = learner.initial_parameters();
    double done = 0;
    for (const double share : round_shares) {
        TrainerSettings settings = whole;
        if (!one_round) settings.minutes = share * whole.minutes;
        settings.clock = [start = processor_seconds()] { return processor_seconds() - start; };
        const double part = one_round ? 1 : share;
        FitResult round = fit(learner, settings, {}, [&](const TrainProgress& progress) {
            return !on_progress || on_progress(done + part * progress.fraction);
        });
        if (round.stopped) throw Error("stopped");
        if (round.diverged) throw Error("a trial diverged: {}", round.message);
        append(std::move(round.history), result.history);
        if (before == 0) whole.untrained_loss = round.initial_validation_loss;
        result.last_gain = before > 0 ? 1 - round.best_validation_loss / before : 1;
        before = round.best_validation_loss;
        best = round.parameters;
        learner.go_on_from(best);
        done += part;
        result.is_flat = !one_round && settings.minutes >= least_flat_round && result.last_gain < flat_gain;
        if (result.is_flat || one_round) break;
    }
    return best;
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

std::vector<int> hidden_of_equal_cost(const Subject& subject, const std::vector<int>& hidden) {
    std::vector<int> wider = hidden;
    if (is_canonical(subject.course.features))
        for (int& width : wider) width *= subject.course.method == "miniature" ? 3 : 2;
    return wider;
}

long multiplications(const Subject& subject, const neural::Network& network) {
    const std::vector<int> sizes = network.sizes();
    long all = 0;
    for (size_t i = 0; i + 1 < sizes.size(); ++i) all += static_cast<long>(sizes[i]) * sizes[i + 1];
    if (!is_canonical(subject.course.features)) return all;
    return all / (subject.course.method == "miniature" ? 8 : 4);
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
    const std::string& name = trial.subject.network;
    const CutSamples training(data.sequences, data.split.training, course, name);
    const CutSamples validation(data.sequences, data.split.validation, course, name);
    const CutSamples test(data.sequences, data.split.test, course, name);
    const SampleSubset subset(training.set(), std::max(trial.pairs, 1L));
    const SampleSet chosen = trial.pairs > 0 ? SampleSet({&subset}) : training.set();
    const AnswerTerms terms = terms_of(data, trial.subject, course.symmetry(name));
    const TrainerSettings settings = settings_of(trial, chosen.count());
    DenseLearner dense(chosen, validation.set(), settings, terms.symmetry);
    const bool counts_epochs = trial.epochs > 0;
    JudgedInMetres learner(dense, counts_epochs ? chosen : validation.set(),
                           counts_epochs ? fewer_samples : validation_samples, terms);
    TrialResult result;
    result.network = dense.network(train_in_rounds(learner, settings, result, on_progress));
    const MetricLoss tested = metric_loss(result.network, test.set(), terms, measured_samples);
    result.training_loss = metric_loss(result.network, chosen, terms, measured_samples).answers;
    result.test_loss = tested.answers;
    result.interpolation_loss = terms.symmetry ? tested.zeros : 0;
    result.minutes = result.history.empty() ? 0 : result.history.back().seconds / 60;
    return result;
}

}  // namespace tulle::training
