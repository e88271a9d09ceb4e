// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tulle::evaluation {

// Where the mean of all possible values lies: 95 times in 100 within `half_width` of that of the given ones.
struct Interval {
    double mean = 0;
    double half_width = 0;  // infinite if there is only one value
};

// By Student's t. There must be at least one value.
Interval interval_of(const std::vector<double>& values);

}  // namespace tulle::evaluation
