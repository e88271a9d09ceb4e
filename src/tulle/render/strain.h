// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <vector>

namespace tulle::render {

// How far a cloth is stretched, from its edges.
class EdgeStrain {
public:
    explicit EdgeStrain(const geometry::TriangleMesh& rest);
    // The largest stretch length/rest length − 1 of the edges around each vertex, |V|; 0 where all are shorter than at
    // rest.
    VectorX at_vertices(const Positions& positions) const;
    // Of the edges around each vertex the stretch that is farthest from zero, |V|; negative where an edge is compressed
    // more than any is stretched.
    VectorX signed_at_vertices(const Positions& positions) const;

private:
    double stretch(const Positions& positions, long edge) const;

    Edges edges_;           // |E|×2
    VectorX rest_lengths_;  // |E| [m]
    long vertex_count_;
};

// |V| [m/s]
VectorX speeds(const Velocities& velocities);

// The value that a share `part` of the values do not exceed; 0 if there are none.
double quantile(VectorX values, double part);

// The smallest of 1, 2, 3, 4, 6, 8 × a power of ten that is not below `value`: its quarters are short numbers; 1 if
// that is not positive.
double rounded_up(double value);

}  // namespace tulle::render
