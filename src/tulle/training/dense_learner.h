// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/neural/network.h"
#include "tulle/neural/symmetry.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

#include <memory>
#include <optional>
#include <vector>

namespace tulle::training {

// A dense network with the layers, the activation and the loss of the settings. Looks at the samples, which must
// outlive it. With a symmetry its networks have that symmetry, whatever the samples are.
class DenseLearner final : public datasets::Learner {
public:
    // Throws an Error if there are too few samples, if those for validation are of another size, or if the hidden
    // layers are no multiples of the symmetry's order.
    DenseLearner(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                 const std::optional<neural::Symmetry>& symmetry = {});

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
    neural::Normalisation measured_, normalisation_;
    std::vector<neural::Orbits> orbits_;  // of the weights and the bias of each layer in turn; empty: no symmetry
    std::unique_ptr<GradientEngine> engine_;
};

}  // namespace tulle::training
