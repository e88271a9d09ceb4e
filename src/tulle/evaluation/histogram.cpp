// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::evaluation {

void Histogram::add(double value) {
    assert(value >= 0);
    const double octave = value > 0 ? std::log2(value) - lowest_octave : 0;
    const auto bin = static_cast<long>(octave * bins_per_octave);
    ++bins_[static_cast<size_t>(std::clamp(bin, 0L, static_cast<long>(bins_.size()) - 1))];
    ++count_;
    sum_ += value;
    max_ = std::max(max_, value);
}

void Histogram::add(const Histogram& other) {
    for (size_t bin = 0; bin < bins_.size(); ++bin) bins_[bin] += other.bins_[bin];
    count_ += other.count_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
}

double Histogram::middle(size_t bin) {
    return bin == 0 ? 0 : std::exp2((static_cast<double>(bin) + 0.5) / bins_per_octave + lowest_octave);
}

double Histogram::percentile(double share) const {
    const auto rank = static_cast<long>(std::ceil(share * static_cast<double>(count_)));
    long seen = 0;
    size_t bin = 0;
    while (bin + 1 < bins_.size() && (seen += bins_[bin]) < rank) ++bin;
    return std::min(middle(bin), max_);
}

// In one dimension it is the area between the two cumulative distributions.
double distance_between(const Histogram& a, const Histogram& b) {
    assert(a.count_ > 0 && b.count_ > 0);
    double area = 0;
    long seen_a = 0, seen_b = 0;
    for (size_t bin = 0; bin + 1 < a.bins_.size(); ++bin) {
        seen_a += a.bins_[bin];
        seen_b += b.bins_[bin];
        const double apart = static_cast<double>(seen_a) / static_cast<double>(a.count_) -
                             static_cast<double>(seen_b) / static_cast<double>(b.count_);
        area += std::abs(apart) * (Histogram::middle(bin + 1) - Histogram::middle(bin));
    }
    return area;
}

}  // namespace tulle::evaluation
