// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

namespace tulle::evaluation {

// How a cloth is curved, from the angles between its triangles.
class CurvatureMeter {
public:
    explicit CurvatureMeter(const geometry::TriangleMesh& rest);

    // The size of the mean curvature at every vertex, |V| [1/m]: Σ θ ℓ / 4A over the edges of length ℓ around it, where
    // triangles meet at the angle θ, and A is its share of the area at rest.
    VectorX measure(const Positions& positions) const;

private:
    Triangles triangles_;
    Edges edges_;          // |E|×2, those between two triangles, as the first of these runs along them
    Rows<int, 2> beside_;  // |E|×2, their triangles
    VectorX areas_;        // |V| [m²] at rest
};

}  // namespace tulle::evaluation
