// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace tulle::evaluation {

// Numbers that are not negative, from a stream, in memory that does not grow. Mean and maximum are exact; percentiles
// and distances come from bins of 1.1 % and are off by half of that at most.
class Histogram {
public:
    void add(double value);
    void add(const Histogram& other);

    long count() const { return count_; }
    double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
    double max() const { return max_; }
    double percentile(double share) const;  // 0 if there are none

    // Wasserstein-1: how far the numbers of one must move on average to become those of the other, in their own unit.
    friend double distance_between(const Histogram& a, const Histogram& b);

private:
    static double middle(size_t bin);

    // 64 bins for every factor of two from 2⁻⁴⁸, far below any rounding error of a cloth in metres, to 2¹⁶; zero is in
    // the first.
    static constexpr int bins_per_octave = 64, lowest_octave = -48, octaves = 64;
    std::vector<long> bins_ = std::vector<long>(size_t{bins_per_octave} * octaves, 0);
    long count_ = 0;
    double sum_ = 0;
    double max_ = 0;
};

}  // namespace tulle::evaluation
