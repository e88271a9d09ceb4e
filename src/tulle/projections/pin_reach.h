// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::projections {

// Fixed vertices may be farther apart than the cloth between them can reach: then no positions are within the limits.
// This says by how much each connected part must stretch at least: the largest distance of two fixed vertices over the
// length of the shortest way along edges between them. It is necessary, not always enough.
class PinReach {
public:
    // Looks at no more than `most_pins` of a part, evenly chosen.
    PinReach(const Edges& edges, const VectorX& rest_lengths, const std::vector<bool>& fixed, int most_pins = 64);

    // |E|: 1 where a part can rest.
    VectorX needed_stretch(const Positions& positions) const;

private:
    struct Way {
        int from = 0, to = 0;
        double length = 0;  // [m] at rest
        int part = 0;
    };
    std::vector<Way> ways_;
    std::vector<int> part_of_edge_;  // |E|
    int parts_ = 0;
};

}  // namespace tulle::projections
