// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/grid_cloth.h"

#include <vector>

namespace tulle::geometry {

//   ● ─ ○ ─ ● ─ ○ ─ ●       Every s-th vertex of every s-th row of a fine grid (here s = 2) is a vertex of the
//   ○   ○   ○   ○   ○       miniature, so a fine grid of (sa+1)×(sb+1) vertices has one of (a+1)×(b+1).
//   ● ─ ○ ─ ● ─ ○ ─ ●
struct Miniature {
    GridSize fine;
    GridSize coarse;
    int factor = 2;  // s

    int fine_index(int coarse_row, int coarse_column) const {
        return fine.index(coarse_row * factor, coarse_column * factor);
    }
    std::vector<int> fine_vertices() const;  // of every coarse vertex
};

// Throws an Error that names the nearest sizes that do unless both sides of the grid divide by the factor.
Miniature make_miniature(const GridSize& fine, int factor);

// The rows of a fine array that belong to coarse vertices.
Positions sample(const std::vector<int>& fine_vertices, const Positions& fine);

// The sums of what lies on fine vertices (masses, say) under each coarse vertex's bilinear hat; they add up to the
// same total. An inner vertex of an even cloth gets s² of a fine one, an edge s(s+1)/2, a corner ((s+1)/2)².
VectorX gather_by_hats(const Miniature& miniature, const VectorX& fine);

// The other way: numbers of coarse vertices, interpolated bilinearly at the fine ones.
Eigen::VectorXf interpolate_numbers(const Miniature& miniature, const Eigen::VectorXf& coarse);

}  // namespace tulle::geometry
