// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/render/color.h"
#include "tulle/render/light.h"
#include "tulle/render/ray_caster.h"

#include <vector>

namespace tulle::render {

enum class Material { Cloth, Collider };

// What is drawn: a mesh with smooth normals and the skylight that reaches its vertices.
struct Surface {
    Material material = Material::Cloth;
    SurfaceTriangles triangles = {};
    std::vector<Point> positions = {};                // |V| [m]
    std::vector<Point> normals = {};                  // |V|, unit
    std::vector<std::array<Color, 2>> skylight = {};  // |V|, on the front and on the back
    std::vector<Eigen::Vector2f> cloth_coords = {};   // |V| [m] in the unstretched cloth; empty for colliders
    std::vector<float> heat = {};                     // |V|, in [0, 1] of the colour scale; empty without one
};

// Distances in the unstretched cloth, |V|×2 [m]: the texture coordinates times the mean lengths of their units. Without
// texture coordinates, the two longest sides of the bounding box serve.
std::vector<Eigen::Vector2f> cloth_coords(const geometry::TriangleMesh& rest);

Surface make_cloth_surface(const geometry::TriangleMesh& rest);
void move_cloth(Surface& surface, const Positions& positions);  // positions z up

// Gathers the skylight at all vertices of `surface` by casting rays into `ray_count` directions from each.
void gather_skylight(Surface& surface, const RayCaster& caster, int ray_count);

}  // namespace tulle::render
