// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/panel.h"

#include "tulle/core/error.h"
#include "tulle/render/camera.h"

namespace tulle::render {

namespace {

void check_mesh(const geometry::TriangleMesh& mesh, const std::string& panel, const char* what) {
    if (mesh.vertex_count() == 0 || mesh.triangle_count() == 0)
        throw Error("panel '{}' cannot be drawn: its {} holds no triangles", panel, what);
    if (!mesh.positions.allFinite())
        throw Error("panel '{}' cannot be drawn: its {} has positions that are not finite", panel, what);
    if (mesh.triangles.minCoeff() < 0 || mesh.triangles.maxCoeff() >= mesh.vertex_count())
        throw Error("panel '{}' cannot be drawn: its {} has triangles that name vertices outside 0–{}", panel, what,
                    mesh.vertex_count() - 1);
    if (mesh.tex_coords.rows() != 0 && mesh.tex_coords.rows() != mesh.positions.rows())
        throw Error("panel '{}' cannot be drawn: its {} has {} texture coordinates for {} vertices", panel, what,
                    mesh.tex_coords.rows(), mesh.vertex_count());
}

void check_positions(const Positions& positions, long expected, const std::string& panel, const char* what) {
    if (positions.rows() != expected)
        throw Error("panel '{}': a frame has {} vertices in its {}, but the mesh has {}", panel, positions.rows(), what,
                    expected);
    if (!positions.allFinite())
        throw Error("panel '{}': a frame of the {} holds positions that are not finite; it cannot be drawn", panel,
                    what);
}

void require_near(const Positions& positions, const std::string& panel, const char* what) {
    const double farthest = positions.rowwise().norm().maxCoeff();
    if (farthest > farthest_drawn)
        throw Error("panel '{}': a frame of the {} reaches {:.3g} m from the origin; at most {:g} m can be drawn",
                    panel, what, farthest, farthest_drawn);
}

}  // namespace

void check_panel(const Panel& panel) {
    check_mesh(panel.cloth, panel.title, "cloth");
    for (const geometry::TriangleMesh& collider : panel.colliders) check_mesh(collider, panel.title, "collider");
}

void check_frame(const Panel& panel, const PanelFrame& frame) {
    check_positions(frame.positions, panel.cloth.positions.rows(), panel.title, "cloth");
    require_near(frame.positions, panel.title, "cloth");
    if (frame.velocities.rows() != 0)
        check_positions(frame.velocities, panel.cloth.positions.rows(), panel.title, "cloth");
    if (!frame.colliders.empty() && frame.colliders.size() != panel.colliders.size())
        throw Error("panel '{}': a frame places {} colliders, but there are {}", panel.title, frame.colliders.size(),
                    panel.colliders.size());
    for (size_t c = 0; c < frame.colliders.size(); ++c) {
        check_positions(frame.colliders[c], panel.colliders[c].positions.rows(), panel.title, "collider");
        require_near(frame.colliders[c], panel.title, "collider");
    }
}

const Positions& collider_positions(const Panel& panel, const PanelFrame& frame, size_t index) {
    return frame.colliders.empty() ? panel.colliders[index].positions : frame.colliders[index];
}

}  // namespace tulle::render
