// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/trainer.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"
#include "tulle/training/checkpoint.h"
#include "tulle/training/dense_learner.h"
#include "tulle/training/flush_denormals.h"
#include "tulle/training/identity.h"
#include "tulle/training/sample_order.h"

#include <algorithm>
#include <cmath>

namespace tulle::training {

namespace {

class Trainer {
public:
    Trainer(datasets::Learner& learner, const TrainerSettings& settings, const TrainerFiles& files)
        : learner_(learner),
          settings_(settings),
          files_(files),
          identity_(make_identity(learner, settings)),
          epoch_size_(settings.samples_per_epoch > 0 ? settings.samples_per_epoch : learner.sample_count()),
          stream_(learner.sample_count(), settings.seed),
          gradient_(static_cast<size_t>(learner.parameter_count())) {
        begin();
        samples_before_ = state_.samples_seen;
        seconds_before_ = state_.seconds;
        last_saved_ = state_.seconds;
        if (!files_.log.empty()) write_log(files_.log, state_.history);
    }

    FitResult run(const OnProgress& on_progress) {
        while (result_.message.empty() && fraction() < 1) {
            if (!train_batch()) break;
            if (state_.epoch_samples >= epoch_size_ || fraction() >= 1) end_epoch();
            if (on_progress && !on_progress(progress())) {
                result_.stopped = true;
                break;
            }
            if (state_.seconds - last_saved_ >= files_.checkpoint_interval) save();
        }
        if (!result_.diverged) save();
        return finish();
    }

private:
    void begin() {
        if (files_.resume && !files_.checkpoint.empty() && std::filesystem::exists(files_.checkpoint)) {
            state_ = read_checkpoint(files_.checkpoint, identity_, learner_.parameter_count());
            return;
        }
        state_.parameters = learner_.initial_parameters();
        state_.moments = {std::vector<float>(gradient_.size()), std::vector<float>(gradient_.size())};
        state_.best_parameters = state_.parameters;
        const datasets::ValidationErrors errors = learner_.validate(state_.parameters);
        if (!std::isfinite(errors.loss)) fail("the validation samples hold numbers that are not finite");
        state_.initial_validation_loss = state_.best_validation_loss = errors.loss;
    }

    // Of the budget, 0 to 1.
    double fraction() const {
        if (settings_.minutes > 0) return state_.seconds / (60 * settings_.minutes);
        const double within = static_cast<double>(state_.epoch_samples) / static_cast<double>(epoch_size_);
        return (state_.epoch + within) / settings_.epochs;
    }

    double learning_rate() const { return learning_rate_at(settings_, fraction()); }

    bool train_batch() {
        const long count = std::min<long>(settings_.batch, epoch_size_ - state_.epoch_samples);
        batch_.resize(static_cast<size_t>(count));
        for (long i = 0; i < count; ++i) batch_[static_cast<size_t>(i)] = stream_[state_.samples_seen + i];
        const datasets::BatchLoss loss = learner_.gradient(batch_, state_.parameters, gradient_);
        if (loss.bad_sample >= 0)
            return fail(fmt::format("training sample {} holds a number that is not finite", loss.bad_sample));
        if (!std::isfinite(loss.sum))
            return fail(
                fmt::format("the loss is not finite after {} batches; use a smaller learning rate", state_.step));
        take_step({.optimiser = settings_.optimiser,
                   .learning_rate = learning_rate(),
                   .weight_decay = settings_.weight_decay,
                   .step = ++state_.step},
                  gradient_, state_.moments, state_.parameters);
        state_.epoch_loss_sum += loss.sum;
        state_.epoch_samples += count;
        state_.samples_seen += count;
        state_.seconds = seconds_before_ + clock();
        return true;
    }

    double training_loss() const { return learner_.mean_loss(state_.epoch_loss_sum, state_.epoch_samples); }

    void end_epoch() {
        const datasets::ValidationErrors errors = learner_.validate(state_.parameters);
        if (!std::isfinite(errors.loss)) {
            fail("the validation loss is not finite; use a smaller learning rate");
            return;
        }
        const double rate = learning_rate();  // before the epoch counts as one of those done
        const EpochRecord record{.epoch = ++state_.epoch,
                                 .samples_seen = state_.samples_seen,
                                 .seconds = state_.seconds,
                                 .learning_rate = rate,
                                 .training_loss = training_loss(),
                                 .validation_loss = errors.loss,
                                 .validation_error = errors.relative_error};
        state_.history.push_back(record);
        if (!files_.log.empty()) append_to_log(files_.log, record);
        state_.epoch_samples = 0;
        state_.epoch_loss_sum = 0;
        if (errors.loss < state_.best_validation_loss) {
            state_.best_validation_loss = errors.loss;
            state_.best_parameters = state_.parameters;
            state_.best_epoch = record.epoch;
        }
        watch_for_divergence();
    }

    void watch_for_divergence() {
        constexpr long patience = 3;
        constexpr double factor = 100;
        const auto& history = state_.history;
        // A nearly perfect network trembles by more than that, far below where it began.
        const double harmless = 0.01 * std::max(state_.initial_validation_loss, settings_.untrained_loss);
        const auto worse = [&](const EpochRecord& r) {
            return r.validation_loss > std::max(harmless, factor * state_.best_validation_loss);
        };
        if (static_cast<long>(history.size()) >= patience &&
            std::all_of(history.end() - patience, history.end(), worse))
            fail(
                fmt::format("the validation loss has been over {} times the best for {} epochs; use a smaller "
                            "learning rate",
                            factor, patience));
    }

    bool fail(std::string reason) {
        result_.diverged = true;
        result_.message = std::move(reason);
        return false;
    }

    // [s] since this run began.
    double clock() const { return settings_.clock ? settings_.clock() : watch_.milliseconds() / 1000; }

    void save() {
        if (!files_.checkpoint.empty()) write_checkpoint(files_.checkpoint, state_, identity_);
        last_saved_ = state_.seconds;
    }

    TrainProgress progress() const {
        const double run_seconds = std::max(state_.seconds - seconds_before_, 1e-9);
        return {.epoch = state_.epoch + (state_.epoch_samples > 0 ? 1 : 0),
                .samples_seen = state_.samples_seen,
                .fraction = std::min(1.0, fraction()),
                .seconds = state_.seconds,
                .samples_per_second = static_cast<double>(state_.samples_seen - samples_before_) / run_seconds,
                .learning_rate = learning_rate(),
                .training_loss = state_.epoch_samples > 0 ? training_loss()
                                 : state_.history.empty() ? 0
                                                          : state_.history.back().training_loss,
                .validation_loss =
                    state_.history.empty() ? state_.initial_validation_loss : state_.history.back().validation_loss,
                .best_validation_loss = state_.best_validation_loss};
    }

    FitResult finish() {
        result_.best_error = learner_.validate(state_.best_parameters).relative_error;
        result_.parameters = std::move(state_.best_parameters);
        result_.history = std::move(state_.history);
        result_.initial_validation_loss = state_.initial_validation_loss;
        result_.best_validation_loss = state_.best_validation_loss;
        result_.best_epoch = state_.best_epoch;
        return std::move(result_);
    }

    datasets::Learner& learner_;
    const TrainerSettings& settings_;
    const TrainerFiles& files_;
    Identity identity_;
    long epoch_size_;
    SampleStream stream_;
    std::vector<float> gradient_;
    std::vector<long> batch_;
    TrainingState state_;
    FitResult result_;
    Stopwatch watch_;
    double seconds_before_ = 0;  // of training in earlier runs
    long samples_before_ = 0;
    double last_saved_ = 0;  // [s]
};

}  // namespace

FitResult fit(datasets::Learner& learner, const TrainerSettings& settings, const TrainerFiles& files,
              const OnProgress& on_progress) {
    check(settings);
    const ThreadCountScope threads(settings.threads > 0 ? settings.threads : thread_count());
    const FlushDenormals flush;
    return Trainer(learner, settings, files).run(on_progress);
}

TrainResult train(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                  const TrainerFiles& files, const OnProgress& on_progress) {
    check(settings);
    const ThreadCountScope threads(settings.threads > 0 ? settings.threads : thread_count());
    const FlushDenormals flush;
    DenseLearner learner(training, validation, settings);
    TrainResult result{fit(learner, settings, files, on_progress), {}};
    result.network = learner.network(result.parameters);
    return result;
}

}  // namespace tulle::training
