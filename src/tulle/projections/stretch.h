// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <algorithm>

namespace tulle::projections {

// How far edges are from their rest lengths.
struct StretchRange {
    double largest = 1;   // length over rest length, of the longest edge
    double smallest = 1;  // of the shortest

    void join(const StretchRange& other) {
        largest = std::max(largest, other.largest);
        smallest = std::min(smallest, other.smallest);
    }
};

// Edges of no rest length are left out.
inline StretchRange stretch_range(const Edges& edges, const VectorX& rest_lengths, const Positions& positions) {
    StretchRange range;
    bool first = true;
    for (long e = 0; e < edges.rows(); ++e) {
        if (!(rest_lengths(e) > 0)) continue;
        const double ratio = (positions.row(edges(e, 0)) - positions.row(edges(e, 1))).norm() / rest_lengths(e);
        range = first ? StretchRange{ratio, ratio}
                      : StretchRange{std::max(range.largest, ratio), std::min(range.smallest, ratio)};
        first = false;
    }
    return range;
}

}  // namespace tulle::projections
