// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/dense_learner.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/training/losses.h"
#include "tulle/training/normalisation.h"
#include "tulle/training/parameters.h"

#include <fmt/format.h>

#include <bit>

namespace tulle::training {

namespace {

std::vector<int> layer_sizes(const SampleSet& samples, const TrainerSettings& settings) {
    std::vector<int> sizes = {samples.input_size()};
    sizes.insert(sizes.end(), settings.hidden.begin(), settings.hidden.end());
    sizes.push_back(samples.output_size());
    return sizes;
}

const SampleSet& checked(const SampleSet& training, const SampleSet& validation) {
    if (training.count() < 1) throw Error("there are no samples to train on; give more or longer sequences");
    if (validation.count() < 1) throw Error("there are no validation samples; keep a sequence for validation");
    if (training.input_size() != validation.input_size() || training.output_size() != validation.output_size())
        throw Error("validation samples have other sizes than training samples; use the same kind of cloth");
    return training;
}

// The normalisation stands for the samples: others would have given another.
std::string fingerprint(const neural::Normalisation& normalisation) {
    std::uint64_t hash = 0;
    for (const Eigen::VectorXf* numbers : {&normalisation.input_mean, &normalisation.input_scale,
                                           &normalisation.output_mean, &normalisation.output_scale})
        for (const float number : *numbers) hash = mix(hash ^ std::bit_cast<std::uint32_t>(number));
    return fmt::format("{:016x}", hash);
}

}  // namespace

DenseLearner::DenseLearner(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings)
    : training_(checked(training, validation)),
      validation_(validation),
      settings_(settings),
      sizes_(layer_sizes(training, settings)),
      normalisation_(measure_normalisation(training, settings)),
      engine_(make_engine(settings.engine, {sizes_, settings.activation, settings.loss, normalisation_})) {}

long DenseLearner::parameter_count() const { return training::parameter_count(sizes_); }

std::vector<float> DenseLearner::initial_parameters() const { return training::initial_parameters(sizes_, settings_); }

datasets::BatchLoss DenseLearner::gradient(std::span<const long> batch, std::span<const float> parameters,
                                           std::span<float> gradient) {
    return engine_->gradient(training_, batch, parameters, gradient);
}

double DenseLearner::mean_loss(double sum, long samples) const {
    return mean_from_sum(settings_.loss, sum, static_cast<double>(samples) * training_.output_size());
}

datasets::ValidationErrors DenseLearner::validate(std::span<const float> parameters) const {
    return measure_errors(network(parameters), validation_, settings_.loss, settings_.validation_samples);
}

neural::Network DenseLearner::network(std::span<const float> parameters) const {
    return make_network(sizes_, parameters, settings_.activation, normalisation_);
}

std::map<std::string, std::string> DenseLearner::identity() const {
    return {{"hidden layers", fmt::format("[{}]", fmt::join(settings_.hidden, ", "))},
            {"activation", neural::to_string(settings_.activation)},
            {"loss", to_string(settings_.loss)},
            {"engine", to_string(settings_.engine)},
            {"number of validation samples", fmt::format("{}", validation_.count())},
            {"choice of validation samples", fmt::format("{}", settings_.validation_samples)},
            {"zero last layer", fmt::format("{}", settings_.zero_last_layer)},
            {"sizes", fmt::format("{} to {}", training_.input_size(), training_.output_size())},
            {"fingerprint of the samples", fingerprint(normalisation_)}};
}

}  // namespace tulle::training
