// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tulle::io {

geometry::TriangleMesh mesh_to_export(const CacheHeader& header) {
    geometry::TriangleMesh mesh = header.mesh;
    if (!mesh.faces.empty() || header.grid.rows < 2 || header.grid.columns < 2) return mesh;
    geometry::Faces quads = geometry::faces_of_grid(header.grid, mesh.tex_coords);
    const Triangles whole = geometry::fan_triangles(quads);
    if (whole.rows() == mesh.triangles.rows() && whole == mesh.triangles) mesh.faces = std::move(quads);  // no holes
    return mesh;
}

std::string collider_file_name(std::string name, std::set<std::string>& taken) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 32 || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            c = '_';
    std::string unique = name;
    for (int number = 2; !taken.insert(unique).second; ++number) unique = fmt::format("{}-{}", name, number);
    return unique;
}

Velocities frame_velocities(const CacheReader& cache, long frame) {
    if (cache.header().has_velocities) return cache.frame(frame).velocities;
    const long before = std::max(frame - 1, 0L);
    const long after = std::min(frame + 1, cache.frame_count() - 1);
    if (before == after) return Velocities::Zero(cache.header().mesh.positions.rows(), 3);
    const CacheFrame first = cache.frame(before), last = cache.frame(after);
    return (last.positions - first.positions) / (last.time - first.time);
}

std::vector<Eigen::Isometry3d> collider_motion(const CacheReader& cache, size_t collider) {
    std::vector<Eigen::Isometry3d> motion;
    for (long f = 0; f < cache.frame_count(); ++f) motion.push_back(cache.collider_transform(collider, f));
    const bool is_still = std::ranges::all_of(
        motion, [&](const Eigen::Isometry3d& transform) { return transform.matrix() == motion[0].matrix(); });
    if (is_still) motion.resize(1);
    return motion;
}

}  // namespace tulle::io
