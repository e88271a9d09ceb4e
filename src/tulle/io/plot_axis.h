// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tulle::io {

struct PlotTick {
    double value = 0;
    std::string label;  // empty: only a fine grid line
};

// A range of values, rounded to ticks, along `begin` to `end` pixels.
class PlotAxis {
public:
    // `values` may hold anything; only what is usable counts.
    PlotAxis(const std::vector<double>& values, bool logarithmic, double begin, double end);

    bool usable(double value) const;  // finite, and positive on a logarithmic axis
    double pixel(double value) const;
    const std::vector<PlotTick>& ticks() const { return ticks_; }

private:
    void place_linear_ticks();
    void place_logarithmic_ticks();

    bool logarithmic_;
    double begin_, end_;  // [px]
    double low_, high_;   // of the value, or of its logarithm
    std::vector<PlotTick> ticks_;
};

}  // namespace tulle::io
