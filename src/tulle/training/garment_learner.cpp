// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/garment_learner.h"

#include "tulle/core/parallel.h"
#include "tulle/core/random.h"
#include "tulle/methods/garment/garment_errors.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace tulle::training {

using methods::GarmentExample;

namespace {

constexpr size_t validation_batch = 16;
constexpr size_t most_projected = 48;  // validation examples: projections take long

std::vector<const GarmentExample*> chosen(const methods::GarmentLesson& lesson) {
    const size_t count = lesson.validation.size();
    const size_t stride = lesson.start.projection.is_any() ? (count + most_projected - 1) / most_projected : 1;
    std::vector<const GarmentExample*> examples;
    for (size_t i = 0; i < count; i += stride) examples.push_back(&lesson.validation[i]);
    return examples;
}

at::Tensor tensor_of(std::span<const float> numbers) {
    at::Tensor tensor = at::empty({static_cast<int64_t>(numbers.size())}, at::kFloat);
    std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<float>());
    return tensor;
}

std::uint64_t hash_of(std::uint64_t hash, std::span<const float> numbers) {
    for (const float number : numbers) hash = mix(hash ^ std::bit_cast<std::uint32_t>(number));
    return hash;
}

std::string fingerprint(const methods::GarmentLesson& lesson, std::span<const float> start) {
    std::uint64_t hash = hash_of(0, start);
    for (const methods::GarmentExamples* examples : {&lesson.training, &lesson.validation})
        for (const GarmentExample& example : *examples) {
            hash = hash_of(hash, {example.inputs.data(), static_cast<size_t>(example.inputs.size())});
            hash = hash_of(hash, {example.positions.data(), static_cast<size_t>(example.positions.size())});
        }
    return fmt::format("{:016x}", hash);
}

std::string in_words(const projections::ProjectionSettings& settings) {
    std::string words;
    if (const auto& limits = settings.inextensibility)
        words += fmt::format("stretch {} to {} ", limits->stretch, limits->tolerance);
    if (const auto& springs = settings.quasistatics)
        words +=
            fmt::format("mu {}, bending {}, axial {} to {}, gradients to {}", springs->mu, springs->material.bending,
                        springs->material.axial, springs->tolerance, springs->adjoint_tolerance);
    return words;
}

}  // namespace

GarmentLearner::GarmentLearner(const methods::GarmentLesson& lesson)
    : lesson_(lesson),
      garment_(lesson),
      start_(methods::parameters_of(lesson)),
      validation_(chosen(lesson)),
      zero_error_(
          measure_garment(lesson.cloth, lesson.validation, methods::by_offsets(lesson.start.mean_offsets)).sqrt_mse) {
    at::set_num_threads(thread_count());
}

datasets::BatchLoss GarmentLearner::gradient(std::span<const long> batch, std::span<const float> parameters,
                                             std::span<float> gradient) {
    std::vector<const GarmentExample*> examples;
    for (const long index : batch) examples.push_back(&lesson_.training[static_cast<size_t>(index)]);
    const at::Tensor numbers = tensor_of(parameters).requires_grad_();
    const at::Tensor losses = garment_.losses(numbers, examples);
    losses.mean().backward();
    const at::Tensor by_numbers = numbers.grad().contiguous();
    std::copy_n(by_numbers.data_ptr<float>(), gradient.size(), gradient.begin());
    return {.sum = losses.sum(at::kDouble).item<double>()};
}

double GarmentLearner::mean_loss(double sum, long samples) const {
    return std::sqrt(sum / static_cast<double>(samples));
}

datasets::ValidationErrors GarmentLearner::validate(std::span<const float> parameters) const {
    const at::NoGradGuard no_gradients;
    const at::Tensor numbers = tensor_of(parameters);
    double sum = 0;
    for (std::span<const GarmentExample* const> left = validation_; !left.empty();) {
        const auto batch = left.first(std::min(left.size(), validation_batch));
        sum += garment_.losses(numbers, batch).sum(at::kDouble).item<double>();
        left = left.subspan(batch.size());
    }
    const auto count = static_cast<long>(validation_.size());
    const double loss = mean_loss(sum, count);
    return {.loss = loss, .relative_error = zero_error_ > 0 ? loss / (1000 * zero_error_) : 0, .samples = count};
}

std::map<std::string, std::string> GarmentLearner::identity() const {
    return {{"projection", in_words(lesson_.start.projection)},
            {"learnt mu", fmt::format("{} at rate {}", static_cast<int>(lesson_.learnt_mu), lesson_.mu_rate)},
            {"loss", fmt::format("image {} normals {}", lesson_.loss.image, lesson_.loss.normals)},
            {"number of validation samples", fmt::format("{}", lesson_.validation.size())},
            {"fingerprint of the samples", fingerprint(lesson_, start_)}};
}

}  // namespace tulle::training
