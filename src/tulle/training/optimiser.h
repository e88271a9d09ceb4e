// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/settings.h"

#include <span>
#include <vector>

namespace tulle::training {

// What an optimiser remembers between steps, one number per parameter.
struct Moments {
    std::vector<float> first;   // running mean of the gradient (Sgd: the momentum)
    std::vector<float> second;  // running mean of its square (Sgd: not used)
};

struct StepSettings {
    Optimiser optimiser = Optimiser::Adam;
    double learning_rate = 1e-3;
    double weight_decay = 0;
    long step = 1;  // counted from 1
};

// One step down the gradient, in place.
void take_step(const StepSettings& settings, std::span<const float> gradient, Moments& moments,
               std::span<float> parameters);

}  // namespace tulle::training
