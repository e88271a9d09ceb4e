// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tulle {

// What a frame of a run costs [ms]. The median is what a frame usually costs, and a few slow ones do not show in it;
// how long the run takes is the mean.
struct FrameCost {
    double median = 0;
    double mean = 0;

    bool is_uneven() const { return mean > 1.5 * median || median > 1.5 * mean; }
    // "28 ms per frame", and where it is uneven "28 ms per frame (median; 1.4e+03 ms on average)".
    std::string in_words() const;
};

// Zeros if there are none.
FrameCost frame_cost(std::vector<double> milliseconds);

}  // namespace tulle
