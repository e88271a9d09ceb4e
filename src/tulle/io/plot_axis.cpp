// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::io {

namespace {

std::string power_of_ten(int exponent) {
    static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
    return text;
}

// 0.01, 250, 3·10⁻⁵: without an exponent where that is short.
std::string number_label(double value, double step) {
    const double size = std::abs(value);
    if (size == 0 || size < 1e-9 * step) return "0";
    if (size >= 1e-3 && size < 1e5) {
        const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
        return fmt::format("{:.{}f}", value, decimals);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double mantissa = value / std::pow(10.0, exponent);
    const std::string power = power_of_ten(exponent);
    return std::abs(mantissa - 1) < 1e-6 ? power : fmt::format("{:.3g}·{}", mantissa, power);
}

// The step 1, 2 or 5 times a power of ten that gives about `count` ticks.
double tick_step(double range, double count) {
    const double raw = range / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power * 1.0001) return factor * power;
    return 10 * power;
}

}  // namespace

PlotAxis::PlotAxis(const std::vector<double>& values, bool logarithmic, double begin, double end)
    : logarithmic_(logarithmic),
      begin_(begin),
      end_(end),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()) {
    for (const double value : values) {
        if (!usable(value)) continue;
        low_ = std::min(low_, logarithmic_ ? std::log10(value) : value);
        high_ = std::max(high_, logarithmic_ ? std::log10(value) : value);
    }
    if (!(low_ <= high_)) low_ = 0, high_ = 1;
    const double smallest = logarithmic_ ? 0.2 : 1e-6 * std::max(std::abs(low_), 1e-100);
    if (high_ - low_ < smallest) {
        const double margin = logarithmic_ ? 0.3 : std::max(0.5 * std::abs(low_), 1e-12);
        low_ -= margin;
        high_ += margin;
    }
    if (logarithmic_)
        place_logarithmic_ticks();
    else
        place_linear_ticks();
}

bool PlotAxis::usable(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

double PlotAxis::pixel(double value) const {
    const double place = ((logarithmic_ ? std::log10(value) : value) - low_) / (high_ - low_);
    return begin_ + place * (end_ - begin_);
}

void PlotAxis::place_linear_ticks() {
    constexpr double spacing = 80;  // [px]
    const double step = tick_step(high_ - low_, std::max(2.0, std::abs(end_ - begin_) / spacing));
    // An axis that starts near zero starts at zero.
    if (low_ > 0 && low_ < 0.3 * high_) low_ = 0;
    low_ = step * std::floor(low_ / step + 1e-9);
    high_ = step * std::ceil(high_ / step - 1e-9);
    const long count = std::lround((high_ - low_) / step);
    for (long i = 0; i <= count; ++i) {
        const double value = low_ + static_cast<double>(i) * step;
        ticks_.push_back({value, number_label(value, step)});
    }
}

void PlotAxis::place_logarithmic_ticks() {
    const double margin = 0.04 * (high_ - low_);
    low_ -= margin;
    high_ += margin;
    const double decades = high_ - low_;
    const int every = std::max(1, static_cast<int>(std::lround(decades / 7)));
    for (int exponent = static_cast<int>(std::floor(low_)); exponent <= static_cast<int>(std::ceil(high_)); ++exponent)
        for (int digit = 1; digit < 10; ++digit) {
            const double place = exponent + std::log10(digit);
            if (place < low_ || place > high_) continue;
            const double value = digit * std::pow(10.0, exponent);
            const bool labelled =
                digit == 1 ? exponent % every == 0 : decades < 1.2 || (decades < 2.5 && (digit == 2 || digit == 5));
            if (digit == 1 || decades < 6)
                ticks_.push_back({value, labelled ? number_label(value, value / digit) : ""});
        }
}

}  // namespace tulle::io
