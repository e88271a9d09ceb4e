// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"

#include <functional>

namespace tulle::evaluation {

// A cloth without what its coarse cloth cannot hold: |V|×3 in, |V|×3 out [m].
using Smoothing = std::function<Positions(const Positions&)>;

// Of a grid: without the waves that are shorter than two coarse cells, along its rows or its columns.
Smoothing without_short_waves(const geometry::Miniature& miniature);

// Of a subdivided mesh, which has no waves: its coarsest level, every finer vertex half way along its edge.
Smoothing without_fine_levels(geometry::Hierarchy hierarchy);

// Measures wrinkles that are too fine for the coarse cloth.
class WrinkleMeter {
public:
    WrinkleMeter(const geometry::TriangleMesh& rest, Smoothing smoothing);

    // How far the cloth is from the smooth one along that one's normals: the mean square over its area [m²].
    double energy(const Positions& positions) const;

private:
    Triangles triangles_;
    VectorX shares_;  // |V| of the area at rest
    Smoothing smoothing_;
};

}  // namespace tulle::evaluation
