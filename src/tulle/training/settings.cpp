// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/settings.h"

#include "tulle/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace tulle::training {

namespace {

template <size_t N>
using Names = std::array<std::string_view, N>;  // in the order of the enumerators

constexpr Names<4> losses = {"mse", "rmse", "huber", "relative"};
constexpr Names<3> optimisers = {"adam", "adamw", "sgd"};
constexpr Names<4> schedules = {"constant", "cosine", "step", "step_cosine"};
constexpr Names<2> engines = {"fused", "torch"};

template <typename Enum, size_t N>
std::string name_of(Enum value, const Names<N>& names) {
    return std::string(names[static_cast<size_t>(value)]);
}

template <typename Enum, size_t N>
Enum parse(const std::string& name, const char* what, const Names<N>& names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("there is no {} '{}'; use {}", what, name, fmt::join(names, ", "));
    return static_cast<Enum>(found - names.begin());
}

void require(bool holds, const char* message) {
    if (!holds) throw Error(message);
}

}  // namespace

std::string to_string(Loss loss) { return name_of(loss, losses); }
std::string to_string(Optimiser optimiser) { return name_of(optimiser, optimisers); }
std::string to_string(Schedule schedule) { return name_of(schedule, schedules); }
std::string to_string(Engine engine) { return name_of(engine, engines); }
Loss parse_loss(const std::string& name) { return parse<Loss>(name, "loss", losses); }
Optimiser parse_optimiser(const std::string& name) { return parse<Optimiser>(name, "optimiser", optimisers); }
Schedule parse_schedule(const std::string& name) { return parse<Schedule>(name, "schedule", schedules); }
Engine parse_engine(const std::string& name) { return parse<Engine>(name, "engine", engines); }

void check(const TrainerSettings& settings) {
    constexpr int widest = 65'536;
    for (const int width : settings.hidden)
        require(width >= 1 && width <= widest, "hidden layers must have 1 to 65536 numbers");
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    const auto zero_or_more = [](double value) { return std::isfinite(value) && value >= 0; };
    require(positive(settings.learning_rate), "the learning rate must be positive");
    require(zero_or_more(settings.final_learning_rate), "the final learning rate must not be negative");
    require(zero_or_more(settings.weight_decay), "the weight decay must not be negative");
    require(settings.batch >= 1 && settings.batch <= 1 << 24, "a batch must have 1 to 16777216 samples");
    require(settings.samples_per_epoch >= 0, "samples_per_epoch must not be negative");
    require(settings.validation_samples >= 1, "validation_samples must be positive");
    require(settings.normalisation_samples >= 2, "normalisation_samples must be at least 2");
    require(settings.epochs >= 0 && zero_or_more(settings.minutes), "a budget must not be negative");
    require((settings.epochs > 0) != (settings.minutes > 0), "give one budget: epochs or minutes");
    require(settings.threads >= 0, "the number of threads must not be negative");
}

double learning_rate_at(const TrainerSettings& settings, double fraction) {
    const double first = settings.learning_rate;
    const double last = settings.final_learning_rate > 0 ? settings.final_learning_rate : 0.01 * first;
    const double t = std::clamp(fraction, 0.0, 1.0);
    switch (settings.schedule) {
        case Schedule::Constant:
            return first;
        case Schedule::Cosine:
            return last + (first - last) * 0.5 * (1 + std::cos(std::numbers::pi * t));
        case Schedule::Step:
            return first * std::pow(last / first, std::min(std::floor(4 * t), 3.0) / 3);
        case Schedule::StepCosine: {
            const double middle = 0.1 * first;
            if (t < 0.5) return first * std::pow(middle / first, std::floor(8 * t) / 3);
            return last + (middle - last) * 0.5 * (1 + std::cos(std::numbers::pi * (2 * t - 1)));
        }
    }
    return first;
}

}  // namespace tulle::training
