// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/neural/network.h"
#include "tulle/neural/symmetry.h"
#include "tulle/training/sample_set.h"
#include "tulle/training/settings.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tulle::training {

struct EngineSettings {
    std::vector<int> sizes;  // 36, 64, 64, 64, 27
    neural::Activation activation = neural::Activation::Relu;
    Loss loss = Loss::Mse;
    neural::Normalisation normalisation;
    std::optional<neural::Symmetry> symmetry = {};  // that the parameters have; with the relative loss only
};

using datasets::BatchLoss;  // its sum is over samples and outputs, in the outputs' own units: see mean_from_sum

// Cuts a batch of samples and differentiates its loss by the parameters (see parameters.h).
class GradientEngine {
public:
    virtual ~GradientEngine() = default;
    virtual BatchLoss gradient(const SampleSet& samples, std::span<const long> batch, std::span<const float> parameters,
                               std::span<float> gradient) = 0;
};

std::unique_ptr<GradientEngine> make_engine(Engine engine, const EngineSettings& settings);

// The same bits whatever the number of threads.
std::unique_ptr<GradientEngine> make_fused_engine(const EngineSettings& settings);

// libtorch's autograd, written to be read: the definition of correct.
std::unique_ptr<GradientEngine> make_torch_engine(const EngineSettings& settings);

}  // namespace tulle::training
