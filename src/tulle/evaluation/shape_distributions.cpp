// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/shape_distributions.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::evaluation {

void ShapeDistributions::add(const ShapeDistributions& other) {
    strain.add(other.strain);
    curvature.add(other.curvature);
    for (size_t axis = 0; axis < tip.size(); ++axis)
        tip[axis].insert(tip[axis].end(), other.tip[axis].begin(), other.tip[axis].end());
}

// The area between the two cumulative distributions, which only change at samples.
double distance_between(Samples a, Samples b) {
    assert(!a.empty() && !b.empty());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double area = 0, at = std::min(a.front(), b.front());
    for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const bool next_is_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
        const double next = next_is_a ? a[i] : b[j];
        const double apart = static_cast<double>(i) / static_cast<double>(a.size()) -
                             static_cast<double>(j) / static_cast<double>(b.size());
        area += std::abs(apart) * (next - at);
        at = next;
        ++(next_is_a ? i : j);
    }
    return area;
}

ShapeDistances distances_between(const ShapeDistributions& a, const ShapeDistributions& b) {
    ShapeDistances distances{.strain = distance_between(a.strain, b.strain),
                             .curvature = distance_between(a.curvature, b.curvature)};
    for (size_t axis = 0; axis < a.tip.size(); ++axis) distances.tip += distance_between(a.tip[axis], b.tip[axis]) / 3;
    return distances;
}

}  // namespace tulle::evaluation
