// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <span>
#include <vector>

namespace tulle::geometry {

struct GridSize;

struct Corner {
    int vertex = 0;
    Eigen::Vector2d uv = Eigen::Vector2d::Zero();
};

// The polygons of a mesh as a person drew them, with texture coordinates that may differ on both sides of a seam.
// What is computed with are triangles.
struct Faces {
    std::vector<int> sizes;       // |P|, corners of each face, at least 3
    std::vector<Corner> corners;  // of all faces one after the other, counter-clockwise seen from the front
    bool has_tex_coords = false;

    bool empty() const { return sizes.empty(); }
    void add(std::span<const Corner> face);
};

// Calls `visit(std::span<const Corner>)` with every face.
template <typename Visit>
void for_each_face(const Faces& faces, const Visit& visit) {
    std::span<const Corner> rest = faces.corners;
    for (const int size : faces.sizes) {
        visit(rest.first(static_cast<size_t>(size)));
        rest = rest.subspan(static_cast<size_t>(size));
    }
}

// `tex_coords`: one per vertex, or none.
Faces faces_of_triangles(const Triangles& triangles, const TexCoords& tex_coords);
Faces faces_of_grid(const GridSize& size, const TexCoords& tex_coords);  // quads

// Every face cut from its first corner.
Triangles fan_triangles(const Faces& faces);

}  // namespace tulle::geometry
