// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/interval.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle::evaluation {

namespace {

// The 97.5th percentile of Student's t; beyond the table by the first terms of its expansion in 1/degrees
// (Abramowitz and Stegun 26.7.5), off by less than 2e-4 there.
double student_t(size_t degrees) {
    constexpr std::array<double, 20> table = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                              2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
                                              2.1314,  2.1199, 2.1098, 2.1009, 2.0930, 2.0860};
    if (degrees <= table.size()) return table[degrees - 1];
    constexpr double z = 1.959964;
    const auto n = static_cast<double>(degrees);
    return z + (std::pow(z, 3) + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / (96 * n * n);
}

}  // namespace

Interval interval_of(const std::vector<double>& values) {
    assert(!values.empty());
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    if (values.size() == 1) return {mean, std::numeric_limits<double>::infinity()};
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, student_t(values.size() - 1) * std::sqrt(squares / (count - 1) / count)};
}

}  // namespace tulle::evaluation
