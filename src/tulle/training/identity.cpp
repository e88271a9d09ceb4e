// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/identity.h"

#include <fmt/format.h>

namespace tulle::training {

Identity make_identity(const datasets::Learner& learner, const TrainerSettings& settings) {
    Identity identity = learner.identity();
    identity.insert({{"optimiser", to_string(settings.optimiser)},
                     {"weight decay", fmt::format("{}", settings.weight_decay)},
                     {"learning rate", fmt::format("{}", settings.learning_rate)},
                     {"final learning rate", fmt::format("{}", settings.final_learning_rate)},
                     {"schedule", to_string(settings.schedule)},
                     {"batch", fmt::format("{}", settings.batch)},
                     {"samples per epoch", fmt::format("{}", settings.samples_per_epoch)},
                     {"seed", fmt::format("{}", settings.seed)},
                     {"number of training samples", fmt::format("{}", learner.sample_count())}});
    return identity;
}

}  // namespace tulle::training
