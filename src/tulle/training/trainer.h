// SPDX-License-Identifier: Apache-2.0
// Fits whatever learns, and dense networks in particular:
//
//   training::train({{&first, &second}}, {{&third}}, {.hidden = {64, 64, 64}, .minutes = 5}, {.checkpoint =
//   "x.train"});
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/neural/network.h"
#include "tulle/training/history.h"
#include "tulle/training/losses.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::training {

struct TrainerFiles {
    std::filesystem::path checkpoint;  // empty: none
    std::filesystem::path log;         // CSV, one line per epoch; empty: none
    // Go on from the checkpoint; where there is none yet, begin. With a budget in epochs the result has the same bits
    // as without the interruption.
    bool resume = false;
    double checkpoint_interval = 60;  // [s]; one is also written at the end
};

struct TrainProgress {
    int epoch = 0;  // under way, counted from 1
    long samples_seen = 0;
    double fraction = 0;  // of the budget
    double seconds = 0;   // of training, with those before resuming
    double samples_per_second = 0;
    double learning_rate = 0;
    double training_loss = 0;    // mean over this epoch so far
    double validation_loss = 0;  // at the end of the last epoch
    double best_validation_loss = 0;
};

struct [[nodiscard]] FitResult {
    std::vector<float> parameters;  // those with the smallest validation loss
    std::vector<EpochRecord> history;
    double initial_validation_loss = 0;  // before the first step
    double best_validation_loss = 0;
    int best_epoch = 0;     // 0: before the first step
    double best_error = 0;  // relative, of the best parameters on the validation samples
    bool stopped = false;   // by on_progress
    bool diverged = false;  // `message` says how; the parameters are the best from before
    std::string message;
};

// Called after every batch; false stops, with a checkpoint.
using OnProgress = std::function<bool(const TrainProgress&)>;

// Throws an Error for settings that make no sense, or a checkpoint that does not belong to the learner.
FitResult fit(datasets::Learner& learner, const TrainerSettings& settings, const TrainerFiles& files = {},
              const OnProgress& on_progress = {});

struct [[nodiscard]] TrainResult : FitResult {
    neural::Network network;
};

// Fits a dense network; throws an Error too if there are too few samples.
TrainResult train(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                  const TrainerFiles& files = {}, const OnProgress& on_progress = {});

}  // namespace tulle::training
