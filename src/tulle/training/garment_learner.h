// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/training/torch_garment.h"

namespace tulle::training {

// Learns a garment's network, and μ of its projection if that is asked for. Losses are reported as their roots: those
// of distances alone are SqrtMSE [mm].
class GarmentLearner final : public datasets::Learner {
public:
    // Looks at the lesson, which must outlive it.
    explicit GarmentLearner(const methods::GarmentLesson& lesson);

    long parameter_count() const override { return static_cast<long>(start_.size()); }
    std::vector<float> initial_parameters() const override { return start_; }
    long sample_count() const override { return static_cast<long>(lesson_.training.size()); }
    datasets::BatchLoss gradient(std::span<const long> batch, std::span<const float> parameters,
                                 std::span<float> gradient) override;
    double mean_loss(double sum, long samples) const override;
    datasets::ValidationErrors validate(std::span<const float> parameters) const override;
    std::map<std::string, std::string> identity() const override;

private:
    const methods::GarmentLesson& lesson_;
    TorchGarment garment_;
    std::vector<float> start_;
    std::vector<const methods::GarmentExample*> validation_;
    double zero_error_;  // [m] of the mean offsets on validation examples
};

}  // namespace tulle::training
