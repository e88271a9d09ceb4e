// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/faces.h"

#include "tulle/geometry/grid_cloth.h"

#include <array>

namespace tulle::geometry {

namespace {

Corner corner_of(int vertex, const TexCoords& tex_coords) {
    if (tex_coords.rows() == 0) return {.vertex = vertex};
    return {.vertex = vertex, .uv = tex_coords.row(vertex)};
}

}  // namespace

void Faces::add(std::span<const Corner> face) {
    sizes.push_back(static_cast<int>(face.size()));
    corners.insert(corners.end(), face.begin(), face.end());
}

Faces faces_of_triangles(const Triangles& triangles, const TexCoords& tex_coords) {
    Faces faces{.has_tex_coords = tex_coords.rows() > 0};
    faces.sizes.assign(static_cast<size_t>(triangles.rows()), 3);
    for (long t = 0; t < triangles.rows(); ++t)
        for (const int v : triangles.row(t)) faces.corners.push_back(corner_of(v, tex_coords));
    return faces;
}

Faces faces_of_grid(const GridSize& size, const TexCoords& tex_coords) {
    Faces faces{.has_tex_coords = tex_coords.rows() > 0};
    for (int r = 0; r + 1 < size.rows; ++r)
        for (int c = 0; c + 1 < size.columns; ++c)
            faces.add(std::array{corner_of(size.index(r, c), tex_coords), corner_of(size.index(r + 1, c), tex_coords),
                                 corner_of(size.index(r + 1, c + 1), tex_coords),
                                 corner_of(size.index(r, c + 1), tex_coords)});
    return faces;
}

Triangles fan_triangles(const Faces& faces) {
    const auto count = static_cast<long>(faces.corners.size()) - 2 * static_cast<long>(faces.sizes.size());
    Triangles triangles(count, 3);
    long t = 0;
    for_each_face(faces, [&](std::span<const Corner> face) {
        for (size_t i = 1; i + 1 < face.size(); ++i)
            triangles.row(t++) << face[0].vertex, face[i].vertex, face[i + 1].vertex;
    });
    return triangles;
}

}  // namespace tulle::geometry
