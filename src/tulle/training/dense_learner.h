// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/neural/network.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

#include <memory>
#include <vector>

namespace tulle::training {

// A dense network with the layers, the activation and the loss of the settings. Looks at the samples, which must
// outlive it.
class DenseLearner final : public datasets::Learner {
public:
    // Throws an Error if there are too few samples, or if those for validation are of another size.
    DenseLearner(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings);

    long parameter_count() const override;
    std::vector<float> initial_parameters() const override;
    long sample_count() const override { return training_.count(); }
    datasets::BatchLoss gradient(std::span<const long> batch, std::span<const float> parameters,
                                 std::span<float> gradient) override;
    double mean_loss(double sum, long samples) const override;
    datasets::ValidationErrors validate(std::span<const float> parameters) const override;
    std::map<std::string, std::string> identity() const override;

    neural::Network network(std::span<const float> parameters) const;

private:
    const SampleSet& training_;
    const SampleSet& validation_;
    TrainerSettings settings_;
    std::vector<int> sizes_;
    neural::Normalisation normalisation_;
    std::unique_ptr<GradientEngine> engine_;
};

}  // namespace tulle::training
