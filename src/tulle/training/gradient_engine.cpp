// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/gradient_engine.h"

namespace tulle::training {

namespace {

// Returns zero, or NaN if one of the numbers is not finite: a sum that the compiler can vectorise.
float normalise(std::span<float> numbers, const Eigen::VectorXf& mean, const Eigen::VectorXf& scale) {
    Eigen::Map<Eigen::ArrayXf> x(numbers.data(), static_cast<long>(numbers.size()));
    x = (x - mean.array()) / scale.array();
    return (x * 0.0f).sum();
}

}  // namespace

std::unique_ptr<GradientEngine> make_engine(Engine engine, const EngineSettings& settings) {
    return engine == Engine::Torch ? make_torch_engine(settings) : make_fused_engine(settings);
}

bool cut_normalised(const SampleSet& samples, long index, const neural::Normalisation& normalisation,
                    std::span<float> input, std::span<float> output) {
    samples.cut(index, input, output);
    const float in = normalise(input, normalisation.input_mean, normalisation.input_scale);
    const float out = normalise(output, normalisation.output_mean, normalisation.output_scale);
    return in + out == 0.0f;
}

}  // namespace tulle::training
