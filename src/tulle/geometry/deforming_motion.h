// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::geometry {

// How the vertices of a mesh move: each in a straight line from key to key, held before the first and after the last.
struct DeformingMotion {
    std::vector<double> times;         // [s], ascending, at least one
    std::vector<Positions> positions;  // |V|×3 [m], one for each time

    Positions at(double time) const;  // |V|×3 [m]
};

}  // namespace tulle::geometry
