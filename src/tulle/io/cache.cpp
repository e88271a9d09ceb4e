// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache.h"

#include "tulle/core/error.h"

#include <cmath>
#include <set>

namespace tulle::io {

namespace {

void check_mesh(const Positions& positions, const Triangles& triangles, const std::string& what) {
    if (positions.rows() == 0) throw Error("{} has no vertices", what);
    for (long v = 0; v < positions.rows(); ++v)
        if (!positions.row(v).allFinite()) throw Error("{}: vertex {} is not a finite point", what, v);
    for (long t = 0; t < triangles.rows(); ++t)
        for (const int v : triangles.row(t))
            if (v < 0 || v >= positions.rows())
                throw Error("{}: triangle {} names vertex {}, but there are only {}", what, t, v, positions.rows());
}

void check_faces(const geometry::TriangleMesh& mesh, const std::string& source) {
    for (const geometry::Corner& corner : mesh.faces.corners) {
        if (corner.vertex < 0 || corner.vertex >= mesh.positions.rows())
            throw Error("'{}': a face names vertex {}, but there are only {}", source, corner.vertex,
                        mesh.positions.rows());
        if (!corner.uv.allFinite()) throw Error("'{}': a texture coordinate of a face is not finite", source);
    }
}

}  // namespace

std::filesystem::path part_path(const std::filesystem::path& cache) {
    std::filesystem::path part = cache;
    return part += ".part";
}

std::filesystem::path xdmf_path(const std::filesystem::path& cache) {
    std::filesystem::path sidecar = cache;
    return sidecar.replace_extension(".xdmf");
}

void check_header(const CacheHeader& header, const std::string& source) {
    const geometry::TriangleMesh& mesh = header.mesh;
    check_mesh(mesh.positions, mesh.triangles, fmt::format("'{}': the mesh", source));
    if (mesh.tex_coords.rows() != 0 && mesh.tex_coords.rows() != mesh.positions.rows())
        throw Error("'{}': there are {} texture coordinates for {} vertices", source, mesh.tex_coords.rows(),
                    mesh.positions.rows());
    if (!mesh.tex_coords.allFinite()) throw Error("'{}': a texture coordinate is not finite", source);
    check_faces(mesh, source);
    if (!(header.frame_rate > 0) || !std::isfinite(header.frame_rate))
        throw Error("'{}': the frame rate is {}; it must be positive", source, header.frame_rate);
    if (header.up_axis != 'y' && header.up_axis != 'z') throw Error("'{}': the up axis must be y or z", source);
    const auto [rows, columns] = header.grid;
    const bool is_grid = rows != 0 || columns != 0;
    if (is_grid && (rows < 1 || columns < 1 || static_cast<long>(rows) * columns != mesh.positions.rows()))
        throw Error("'{}': a grid of {} rows and {} columns does not have {} vertices", source, rows, columns,
                    mesh.positions.rows());
    std::set<std::string> names;
    for (const ColliderMesh& collider : header.colliders) {
        if (collider.name.empty() || collider.name == "." || collider.name.find('/') != std::string::npos)
            throw Error("'{}': a collider cannot be named '{}'; give it a name without '/'", source, collider.name);
        if (!names.insert(collider.name).second)
            throw Error("'{}': two colliders are named '{}'; rename one", source, collider.name);
        check_mesh(collider.rest_positions, collider.triangles,
                   fmt::format("'{}': the collider '{}'", source, collider.name));
    }
}

}  // namespace tulle::io
