// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tulle::datasets {

struct BatchLoss {
    double sum = 0;        // over the samples of the batch; see Learner::mean_loss
    long bad_sample = -1;  // one that holds a number that is not finite; the gradient is then of no use
};

struct ValidationErrors {
    double loss = 0;            // in the unit of the loss
    double relative_error = 0;  // 1 is as bad as always answering zero
    long samples = 0;
};

// Something with parameters that a training improves: it sees numbers only. Dense networks are the usual one
// (training/dense_learner.h); a family may bring its own.
class Learner {
public:
    virtual ~Learner() = default;

    virtual long parameter_count() const = 0;
    virtual std::vector<float> initial_parameters() const = 0;

    virtual long sample_count() const = 0;  // to learn from
    // The loss of a batch of samples at `parameters`, and the gradient of its mean.
    virtual BatchLoss gradient(std::span<const long> batch, std::span<const float> parameters,
                               std::span<float> gradient) = 0;
    // From a sum over so many samples to what is reported.
    virtual double mean_loss(double sum, long samples) const = 0;
    // On samples that are kept from learning.
    virtual ValidationErrors validate(std::span<const float> parameters) const = 0;

    // What it is and what it learns from, as names and values: a training that is resumed must find the same.
    virtual std::map<std::string, std::string> identity() const = 0;
};

}  // namespace tulle::datasets
