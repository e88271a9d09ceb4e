// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/training/checkpoint.h"
#include "tulle/training/settings.h"

namespace tulle::training {

// What a training must have in common with the one that it resumes.
Identity make_identity(const datasets::Learner& learner, const TrainerSettings& settings);

}  // namespace tulle::training
