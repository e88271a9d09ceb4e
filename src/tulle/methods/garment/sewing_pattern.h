// SPDX-License-Identifier: Apache-2.0
// Garments that are cut as a front and a back and sewn together. Both lie on each other: sewn edges are the same in
// both, the others (a neckline, say) may differ.
#pragma once

#include "tulle/geometry/delaunay.h"
#include "tulle/geometry/triangle_mesh.h"

#include <string>
#include <vector>

namespace tulle::methods {

// A piece of the outline from one corner to the next, counter-clockwise. Each of the points is on it, in order; between
// them it is straight.
struct PatternEdge {
    bool is_sewn = false;
    std::vector<Eigen::Vector2d> front;  // [m] from the corner on, without the next corner
    std::vector<Eigen::Vector2d> back;   // the same edge of the back; empty: like the front
};

struct SewingPattern {
    std::string name;
    std::vector<PatternEdge> edges;
};

SewingPattern t_shirt_pattern();
SewingPattern skirt_pattern();

// A garment sewn from its pattern. Pattern coordinates are (u, v) [m]: across the body, and up.
struct SewnGarment {
    Triangles triangles;        // |T|×3, wound outward; those of the front first
    geometry::Points2 pattern;  // |V|×2 [m]
    std::vector<int> side;      // |V|: −1 front, 1 back, 0 on a seam
    long front_triangle_count = 0;
    VectorX to_seam;  // |V| [m] from the nearest seam within the panel
};

SewnGarment sew(const SewingPattern& pattern, double spacing);

// The rest shape: the front at the front (−y) of the back, a tenth as far from it as from the seam but never more than
// 6 mm, so that contact can tell one layer from the other. No edge is changed by more than 0.5 %. Texture coordinates
// are those of the pattern, shifted and scaled into [0, 1].
geometry::TriangleMesh rest_shape(const SewnGarment& garment);

}  // namespace tulle::methods
