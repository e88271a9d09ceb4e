// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/network.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

namespace tulle::training {

// Means and scales (standard deviations) of a fixed random choice of the samples. Samples that are not finite are left
// out here; the training meets them and says so.
neural::Normalisation measure_normalisation(const SampleSet& samples, const TrainerSettings& settings);

}  // namespace tulle::training
