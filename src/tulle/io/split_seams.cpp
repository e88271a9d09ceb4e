// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/split_seams.h"

#include "tulle/geometry/finer_faces.h"

#include <array>
#include <map>
#include <numeric>

namespace tulle::io {

SplitMesh split_seams(const geometry::TriangleMesh& mesh) {
    if (!mesh.faces.has_tex_coords || mesh.tex_coords.rows() == 0)
        return {.sources = {}, .triangles = mesh.triangles, .tex_coords = mesh.tex_coords};
    geometry::Faces faces = geometry::ready_to_cut(mesh.faces, mesh.positions);
    std::map<std::array<double, 3>, int> others;  // vertex, u, v
    SplitMesh result;
    result.sources.resize(static_cast<size_t>(mesh.vertex_count()));
    std::iota(result.sources.begin(), result.sources.end(), 0);
    std::vector<Eigen::Vector2d> added;
    for (geometry::Corner& corner : faces.corners) {
        if (corner.uv == mesh.tex_coords.row(corner.vertex).transpose()) continue;
        const std::array<double, 3> key{static_cast<double>(corner.vertex), corner.uv.x(), corner.uv.y()};
        const auto [entry, is_new] = others.try_emplace(key, static_cast<int>(result.sources.size()));
        if (is_new) {
            result.sources.push_back(corner.vertex);
            added.push_back(corner.uv);
        }
        corner.vertex = entry->second;
    }
    result.triangles = geometry::fan_triangles(faces);
    result.tex_coords.resize(static_cast<long>(result.sources.size()), 2);
    result.tex_coords.topRows(mesh.tex_coords.rows()) = mesh.tex_coords;
    for (size_t i = 0; i < added.size(); ++i)
        result.tex_coords.row(mesh.tex_coords.rows() + static_cast<long>(i)) = added[i];
    return result;
}

}  // namespace tulle::io
