// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/frame_cost.h"

#include "tulle/core/median.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace tulle {

std::string FrameCost::in_words() const {
    const std::string usual = fmt::format("{:.3g} ms per frame", median);
    return is_uneven() ? fmt::format("{} (median; {:.3g} ms on average)", usual, mean) : usual;
}

FrameCost frame_cost(std::vector<double> milliseconds) {
    if (milliseconds.empty()) return {};
    const double sum = std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0);
    const double mean = sum / static_cast<double>(milliseconds.size());
    return {.median = median(std::move(milliseconds)), .mean = mean};
}

}  // namespace tulle
