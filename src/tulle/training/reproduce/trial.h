// SPDX-License-Identifier: Apache-2.0
// One cell of a paper's table: a network that is trained, and measured in metres.
#pragma once

#include "tulle/scene/families/upscaling/upscaling_course.h"
#include "tulle/training/samples.h"
#include "tulle/training/train_recipe.h"

#include <filesystem>
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

// Hidden layers that take about as many multiplications as a dense network of `hidden`: with canonical features the
// symmetries leave an eighth of them in a patch network and a quarter in a triangle network, so that it is three times
// and twice as wide.
std::vector<int> hidden_of_equal_cost(const Subject& subject, const std::vector<int>& hidden);
// Multiplications of one answer of its network.
long multiplications(const Subject& subject, const neural::Network& network);

// A training goes in rounds. Each is twice as long as the one before, has its own cosine schedule, and goes on from
// the weights with the smallest validation loss so far. The loss is flat when a round that is
// long enough lowers it by less than this.
inline constexpr double flat_gain = 0.02;
inline constexpr double least_flat_round = 1;  // [min] a shorter round may only not have got going

struct Trial {
    Subject subject;
    std::vector<int> hidden;
    double minutes = 10;  // until the loss is flat, or at most so long, in processor time of a thread; or
    int epochs = 0;       // in one round of exactly so many
    long pairs = 0;       // learn from a fixed subset of so many pairs; 0: from all
    std::uint64_t seed = 1;
};

// Losses are mean squares over all numbers of an answer [m²].
struct TrialResult {
    neural::Network network;
    // The validation losses are in [m²]; of a trial in epochs they are measured on the pairs that it learns from.
    std::vector<EpochRecord> history;
    double training_loss = 0;
    double test_loss = 0;           // on sequences that were never seen
    double interpolation_loss = 0;  // the same of interpolation without a network; canonical features only
    double minutes = 0;             // of processor time
    double last_gain = 0;           // by which the last round lowered the validation loss; 0 to 1
    bool is_flat = false;           // else the budget ended it
};

using TrialProgress = std::function<bool(double fraction)>;

// Throws an Error if it is stopped.
TrialResult run_trial(const datasets::TrainingData& data, const Trial& trial, const TrialProgress& on_progress);

// The same, kept in files: a trial that was run before with the same settings on as much data is read. `file`: without
// its extension.
TrialResult keep_trial(const std::filesystem::path& file, const datasets::TrainingData& data, const Trial& trial,
                       const TrialProgress& on_progress);

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
