// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/creased_mesh.h"
#include "tulle/render/surface.h"

#include <array>
#include <optional>
#include <vector>

namespace tulle::render {

// A place on a mesh: weights of the three vertices of one of its triangles.
struct MeshSite {
    int triangle;
    std::array<int, 3> vertices;
    std::array<double, 3> weights;
};

// A collider as it is drawn: cut finely enough to carry skylight at its vertices, round where its faces meet smoothly
// and creased where they meet at an angle.
class DrawnCollider {
public:
    struct Settings {
        double longest_edge = 0.05;  // [m] after cutting, if that needs no more than some 20,000 triangles
    };
    DrawnCollider(const geometry::TriangleMesh& mesh, const Settings& settings);

    Surface make_surface() const;
    void move(Surface& surface, const Positions& positions) const;  // positions |V|×3 of the mesh, z up

private:
    void merge_vertices(const geometry::TriangleMesh& mesh);
    void cut(const std::vector<Vector3>& positions, double longest_edge);
    std::vector<Vector3> merged(const Positions& positions) const;
    std::vector<Vector3> place_sites(const std::vector<Vector3>& merged_positions) const;  // on the rounded surface

    std::vector<int> representatives_;  // of the merged vertices: one mesh vertex at each place
    SurfaceTriangles triangles_;        // of the mesh, over merged vertices
    std::vector<MeshSite> sites_;       // of the fine mesh, over merged vertices
    SurfaceTriangles faces_;            // of the fine mesh, over sites
    std::optional<CreasedMesh> coarse_;
    std::optional<CreasedMesh> fine_;
};

}  // namespace tulle::render
