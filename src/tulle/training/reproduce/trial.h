// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/families/upscaling/upscaling_course.h"
#include "tulle/training/samples.h"
#include "tulle/training/train_recipe.h"

#include <functional>
#include <string>
#include <vector>

namespace tulle::training {

// What is learned: one network of an upscaling method.
struct Subject {
    scene::UpscalingCourseSettings course;
    std::string network;
    int step = 2;  // fine vertices between the coarse ones that it sees
};
Subject patches(int factor, methods::Features features);
Subject triangles(int level, methods::Features features);  // of two levels

// One entry of a paper's table: a network trained under a stated budget.
struct Trial {
    Subject subject;
    std::vector<int> hidden;
    double minutes = 0.5;        // budget, or
    int epochs = 0;              // this many epochs
    long samples_per_epoch = 0;  // 0: all
    Loss loss = Loss::Mse;
};

struct TrialResult {
    neural::Network network;
    std::vector<EpochRecord> history;  // its training losses are in [m²] too
    double training_loss = 0;          // mean square over all output numbers [m²]
    double test_loss = 0;              // on sequences that were never seen
    double minutes = 0;
};

using TrialProgress = std::function<bool(double fraction)>;

// Losses are turned to square metres where local features answer in units of the rest spacing. Throws an Error if it
// is stopped.
TrialResult run_trial(const datasets::TrainingData& data, const Trial& trial, const TrialProgress& on_progress);

// Some pairs, kept as they were cut, for tables that count thousands of epochs over a fixed subset.
class SampleSubset final : public datasets::SampleSource {
public:
    SampleSubset(const SampleSet& all, long count);
    long count() const override { return inputs_.rows(); }
    int input_size() const override { return static_cast<int>(inputs_.cols()); }
    int output_size() const override { return static_cast<int>(outputs_.cols()); }
    void cut(long index, std::span<float> input, std::span<float> output) const override;

private:
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // samples×numbers
    Rows inputs_, outputs_;
};

}  // namespace tulle::training
