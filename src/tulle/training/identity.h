// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/checkpoint.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

namespace tulle::training {

// What a training must have in common with the one that it resumes. The normalisation stands for the samples: others
// would have given another.
Identity make_identity(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                       const neural::Normalisation& normalisation);

}  // namespace tulle::training
