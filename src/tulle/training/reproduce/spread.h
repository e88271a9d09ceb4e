// SPDX-License-Identifier: Apache-2.0
// The figures of several trainings as one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tulle::training {

struct Spread {
    double mean = 0, half = 0;  // half of what lies between the smallest and the largest
};

inline Spread spread_of(const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    double sum = 0;
    for (const double value : values) sum += value;
    return {sum / static_cast<double>(values.size()), (high - low) / 2};
}

inline std::string text_of(const std::vector<double>& values) {
    if (values.empty()) return "–";
    const Spread spread = spread_of(values);
    return values.size() == 1 ? fmt::format("{:.4g}", spread.mean)
                              : fmt::format("{:.4g} ± {:.2g}", spread.mean, spread.half);
}

}  // namespace tulle::training
