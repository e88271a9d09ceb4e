// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/deforming_motion.h"

#include <algorithm>

namespace tulle::geometry {

Positions DeformingMotion::at(double time) const {
    if (at_time) return at_time(time);
    const auto next = static_cast<size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    if (next == 0) return positions.front();
    if (next == times.size()) return positions.back();
    const double s = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return positions[next - 1] + s * (positions[next] - positions[next - 1]);
}

}  // namespace tulle::geometry
