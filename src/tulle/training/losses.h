// SPDX-License-Identifier: Apache-2.0
// Losses in the outputs' own units, without libtorch.
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/neural/network.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

namespace tulle::training {

// The loss is in squared units for Mse and Huber, in units for Rmse; the relative error is
// √(Σ‖prediction − target‖² / Σ‖target‖²).
using Errors = datasets::ValidationErrors;

// Over all samples, or over a fixed random choice if there are more than max_samples.
Errors measure_errors(const neural::Network& network, const SampleSet& samples, Loss loss, long max_samples);

double mean_loss(const neural::Network& network, const SampleSet& samples, Loss loss, long max_samples);

// From a sum over `numbers` output numbers to what is reported: the mean, or for Rmse its root.
double mean_from_sum(Loss loss, double sum, double numbers);

}  // namespace tulle::training
