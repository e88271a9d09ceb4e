// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <functional>
#include <vector>

namespace tulle::geometry {

// How the vertices of a mesh move: each in a straight line from key to key, held before the first and after the last;
// or, as a posed body does, by a function of the time.
struct DeformingMotion {
    std::vector<double> times;                      // [s], ascending, at least one
    std::vector<Positions> positions;               // |V|×3 [m], one for each time
    std::function<Positions(double)> at_time = {};  // |V|×3 [m] at a time [s]; if set, the keys are only examples of it

    Positions at(double time) const;  // |V|×3 [m]
};

}  // namespace tulle::geometry
