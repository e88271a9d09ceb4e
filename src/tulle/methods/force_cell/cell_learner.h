// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/methods/force_cell/cell_samples.h"

#include <memory>
#include <string>

namespace tulle::methods {

struct CellLearnerSettings {
    CellDesign design;
    CellParameters parameters;         // from what is learnt to the cell's numbers
    VectorX start;                     // of what is learnt
    double unit = 1;                   // what is learnt is of this size, relative to a whole cell
    double physics_share = 0.5;        // α of equation 8
    long validation_samples = 20'000;  // at most so many, always the same
};

// A force cell for the training: its loss is equation 8, its gradient is worked out by hand.
class CellLearner final : public datasets::Learner {
public:
    CellLearner(std::shared_ptr<const CellSamples> training, std::shared_ptr<const CellSamples> validation,
                CellLearnerSettings settings);

    long parameter_count() const override { return settings_.parameters.count(); }
    std::vector<float> initial_parameters() const override;
    long sample_count() const override { return training_->count(); }
    datasets::BatchLoss gradient(std::span<const long> batch, std::span<const float> parameters,
                                 std::span<float> gradient) override;
    double mean_loss(double sum, long samples) const override;
    datasets::ValidationErrors validate(std::span<const float> parameters) const override;
    std::map<std::string, std::string> identity() const override;

    ForceCell cell(std::span<const float> parameters) const;

private:
    std::shared_ptr<const CellSamples> training_, validation_;
    CellLearnerSettings settings_;
    // The loss of a cell that lacks all that is learnt. Gradients are of the loss in this unit: squares of impulses are
    // so small that the optimiser's own smallest number would hide them.
    double unit_ = 1;
};

}  // namespace tulle::methods
