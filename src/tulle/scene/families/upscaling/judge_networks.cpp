// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/judge_networks.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/answer_heads.h"

#include <algorithm>
#include <cmath>

namespace tulle::scene {

using methods::Trust;

namespace {

constexpr double bound_quantile = 0.9;

float mean_product(const std::vector<float>& a, const std::vector<float>& b, int count) {
    float sum = 0;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) sum += a[i] * b[i];
    return sum / static_cast<float>(count);
}

}  // namespace

JudgedAnswers::JudgedAnswers(const neural::Network& network, const Sources& samples, long most) {
    long all = 0;
    for (const auto& source : samples) all += source->count();
    const long every = std::max(1L, all / most);
    const int numbers = network.output_size() - methods::answer_heads;
    for (const auto& source : samples) {
        const long count = source->count() / every;
        std::vector<Answer> judged(static_cast<size_t>(count));
        parallel_for(count, [&](long i) {
            std::vector<float> input(static_cast<size_t>(network.input_size()));
            std::vector<float> target(static_cast<size_t>(network.output_size())), said(target.size());
            source->cut(i * every, input, target);
            neural::evaluate_reference(network, input, said);
            const float scale = std::exp(methods::held_log_scale(said[static_cast<size_t>(numbers)]));
            for (float& number : target) number /= scale;  // to the network's own scale
            judged[static_cast<size_t>(i)] = {
                .size = std::sqrt(mean_product(said, said, numbers)),
                .bound = std::exp(methods::held_log_bound(said.back())),
                .along = mean_product(said, target, numbers),
                .target = mean_product(target, target, numbers),
                .weight = scale * target[static_cast<size_t>(numbers)],
            };
        });
        for (const Answer& answer : judged)
            if (answer.target > 0) answers_.push_back(answer);  // others are interpolated
    }
}

// ‖s y − t‖² = s² ‖y‖² − 2 s y·t + ‖t‖²
float JudgedAnswers::error(const Answer& answer, const Trust& trust) {
    const float share = weigh(answer.size, answer.bound, trust).share;
    const float square = share * share * answer.size * answer.size - 2 * share * answer.along + answer.target;
    return std::sqrt(std::max(0.0f, square));
}

double JudgedAnswers::mean_error(const Trust& trust) const {
    double sum = 0;
    for (const Answer& answer : answers_)
        sum += static_cast<double>(answer.weight * error(answer, trust) / std::sqrt(answer.target));
    return sum / static_cast<double>(answers_.size());
}

Trust JudgedAnswers::find_trust() const {
    if (answers_.empty()) return {};
    constexpr double may_cost = 1.01;
    const double best = mean_error({});
    Trust trust;
    for (float caution = 0.05f; caution < 4; caution *= 1.25f)
        if (mean_error({.caution = caution}) < may_cost * best) trust.caution = caution;
    std::vector<float> ratios;
    ratios.reserve(answers_.size());
    for (const Answer& answer : answers_)
        ratios.push_back(error(answer, trust) / weigh(answer.size, answer.bound, trust).bound);
    const auto middle = ratios.begin() + static_cast<long>(bound_quantile * static_cast<double>(ratios.size() - 1));
    std::nth_element(ratios.begin(), middle, ratios.end());
    trust.bound_factor = *middle;
    return trust;
}

double JudgedAnswers::within_bounds(const Trust& trust) const {
    const auto keeps = [&](const Answer& answer) {
        return error(answer, trust) <= weigh(answer.size, answer.bound, trust).bound;
    };
    return answers_.empty()
               ? 0
               : static_cast<double>(std::ranges::count_if(answers_, keeps)) / static_cast<double>(answers_.size());
}

}  // namespace tulle::scene
