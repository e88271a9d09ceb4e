// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/identity.h"

#include "tulle/core/random.h"

#include <fmt/format.h>

#include <bit>

namespace tulle::training {

namespace {

std::string fingerprint(const neural::Normalisation& normalisation) {
    std::uint64_t hash = 0;
    for (const Eigen::VectorXf* numbers : {&normalisation.input_mean, &normalisation.input_scale,
                                           &normalisation.output_mean, &normalisation.output_scale})
        for (const float number : *numbers) hash = mix(hash ^ std::bit_cast<std::uint32_t>(number));
    return fmt::format("{:016x}", hash);
}

}  // namespace

Identity make_identity(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                       const neural::Normalisation& normalisation) {
    return {{"hidden layers", fmt::format("[{}]", fmt::join(settings.hidden, ", "))},
            {"activation", neural::to_string(settings.activation)},
            {"loss", to_string(settings.loss)},
            {"optimiser", to_string(settings.optimiser)},
            {"weight decay", fmt::format("{}", settings.weight_decay)},
            {"learning rate", fmt::format("{}", settings.learning_rate)},
            {"final learning rate", fmt::format("{}", settings.final_learning_rate)},
            {"schedule", to_string(settings.schedule)},
            {"batch", fmt::format("{}", settings.batch)},
            {"samples per epoch", fmt::format("{}", settings.samples_per_epoch)},
            {"seed", fmt::format("{}", settings.seed)},
            {"engine", to_string(settings.engine)},
            {"number of training samples", fmt::format("{}", training.count())},
            {"number of validation samples", fmt::format("{}", validation.count())},
            {"choice of validation samples", fmt::format("{}", settings.validation_samples)},
            {"zero last layer", fmt::format("{}", settings.zero_last_layer)},
            {"sizes", fmt::format("{} to {}", training.input_size(), training.output_size())},
            {"fingerprint of the samples", fingerprint(normalisation)}};
}

}  // namespace tulle::training
