// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::methods {

// A garment whose pattern is its own mirror image, left and right, and which vertex lies across from which.
class PatternMirror {
public:
    // `pattern`: |V|×2 in any unit, front and back as pattern_image.h says. A vertex lies across from
    // the one that is nearest to its mirror image; throws an Error if that is farther than a third of an edge.
    PatternMirror(const Rows<double, 2>& pattern, const Triangles& triangles);

    const std::vector<int>& across() const { return across_; }  // |V|; that of the other is the vertex itself

    // The garment as a mirror at x = 0 shows it: |V|×3 [m].
    Positions mirrored(const Positions& garment) const;

private:
    std::vector<int> across_;
};

}  // namespace tulle::methods
