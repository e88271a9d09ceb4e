// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/optimiser.h"

#include <cmath>

namespace tulle::training {

namespace {

using Array = Eigen::Map<Eigen::ArrayXf>;
using ConstArray = Eigen::Map<const Eigen::ArrayXf>;

// [Kingma and Ba 2015]; with decay taken off the weights themselves it is AdamW [Loshchilov and Hutter 2019].
void take_adam_step(const StepSettings& settings, const ConstArray& gradient, Array m, Array v, Array x) {
    constexpr double beta1 = 0.9, beta2 = 0.999;
    constexpr float epsilon = 1e-8f;
    const auto decay = static_cast<float>(settings.weight_decay);
    const auto rate = static_cast<float>(settings.learning_rate);
    const auto count = static_cast<double>(settings.step);
    const auto step = static_cast<float>(settings.learning_rate / (1 - std::pow(beta1, count)));
    const auto root = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, count)));
    const bool decoupled = settings.optimiser == Optimiser::AdamW;
    const float in_gradient = decoupled ? 0 : decay;
    m += static_cast<float>(1 - beta1) * (gradient + in_gradient * x - m);
    v += static_cast<float>(1 - beta2) * ((gradient + in_gradient * x).square() - v);
    if (decoupled) x *= 1 - rate * decay;
    x -= step * m / (v.sqrt() * root + epsilon);
}

void take_momentum_step(const StepSettings& settings, const ConstArray& gradient, Array momentum, Array x) {
    constexpr float keep = 0.9f;
    momentum = keep * momentum + gradient + static_cast<float>(settings.weight_decay) * x;
    x -= static_cast<float>(settings.learning_rate) * momentum;
}

}  // namespace

void take_step(const StepSettings& settings, std::span<const float> gradient, Moments& moments,
               std::span<float> parameters) {
    const auto count = static_cast<long>(parameters.size());
    const ConstArray g(gradient.data(), count);
    const Array m(moments.first.data(), count), v(moments.second.data(), count), x(parameters.data(), count);
    if (settings.optimiser == Optimiser::Sgd)
        take_momentum_step(settings, g, m, x);
    else
        take_adam_step(settings, g, m, v, x);
}

}  // namespace tulle::training
