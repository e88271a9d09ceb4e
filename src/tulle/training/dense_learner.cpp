// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/dense_learner.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/training/losses.h"
#include "tulle/training/normalisation.h"
#include "tulle/training/parameters.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

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

// Of weights, bias, weights, bias, …: the parts of the parameters, in their order.
std::vector<neural::Orbits> find_all_orbits(const neural::Symmetry& symmetry, const std::vector<int>& sizes) {
    const neural::SignedPermutation same{.from = {0}, .sign = {1}};
    const std::vector<neural::SignedPermutation> nothing(static_cast<size_t>(symmetry.order()), same);
    std::vector<neural::Orbits> orbits;
    std::vector<neural::SignedPermutation> below = symmetry.inputs;
    for (size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
        const std::vector<neural::SignedPermutation> above =
            layer + 2 == sizes.size() ? symmetry.outputs : hidden_actions(symmetry, sizes[layer + 1]);
        orbits.push_back(find_orbits(below, above));
        orbits.push_back(find_orbits(nothing, above));
        below = above;
    }
    return orbits;
}

// Calls body(orbits, numbers) for each part.
template <typename Body>
void for_each_part(const std::vector<neural::Orbits>& orbits, std::span<float> parameters, const Body& body) {
    for (const neural::Orbits& part : orbits) {
        body(part, parameters.first(part.orbit.size()));
        parameters = parameters.subspan(part.orbit.size());
    }
}

double sum_of_squares(std::span<const float> numbers) {
    double sum = 0;
    for (const float number : numbers) sum += static_cast<double>(number) * static_cast<double>(number);
    return sum;
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

DenseLearner::DenseLearner(const SampleSet& training, const SampleSet& validation, const TrainerSettings& settings,
                           const std::optional<neural::Symmetry>& symmetry)
    : training_(checked(training, validation)),
      validation_(validation),
      settings_(settings),
      sizes_(layer_sizes(training, settings)),
      measured_(measure_normalisation(training, settings)),
      normalisation_(settings.normalise ? measured_ : neural::Normalisation::identity(sizes_.front(), sizes_.back())),
      engine_(make_engine(settings.engine, {sizes_, settings.activation, settings.loss, normalisation_, symmetry})) {
    if (symmetry) orbits_ = find_all_orbits(*symmetry, sizes_);
}

long DenseLearner::parameter_count() const { return training::parameter_count(sizes_); }

std::vector<float> DenseLearner::initial_parameters() const {
    std::vector<float> parameters = training::initial_parameters(sizes_, settings_);
    for_each_part(orbits_, parameters, [](const neural::Orbits& orbits, std::span<float> numbers) {
        const double before = sum_of_squares(numbers);
        make_symmetric(orbits, numbers);
        // Means are smaller than what they are the means of; signals should keep their size.
        const double after = sum_of_squares(numbers);
        if (after > 0)
            for (float& number : numbers) number *= static_cast<float>(std::sqrt(before / after));
    });
    return parameters;
}

datasets::BatchLoss DenseLearner::gradient(std::span<const long> batch, std::span<const float> parameters,
                                           std::span<float> gradient) {
    const datasets::BatchLoss loss = engine_->gradient(training_, batch, parameters, gradient);
    // Every optimiser of ours treats numbers of equal size and gradient alike, so that parameters stay symmetric.
    for_each_part(orbits_, gradient, neural::make_symmetric);
    return loss;
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
            {"symmetry", orbits_.empty() ? "none" : "exact"},
            {"sizes", fmt::format("{} to {}", training_.input_size(), training_.output_size())},
            {"fingerprint of the samples", fingerprint(measured_)}};
}

}  // namespace tulle::training
