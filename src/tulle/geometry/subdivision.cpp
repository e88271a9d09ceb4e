// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/subdivision.h"

#include <numeric>

namespace tulle::geometry {

namespace {

Subdivision connect(const TriangleMesh& mesh) {
    const MeshEdges edges = mesh_edges(mesh);
    Subdivision result{.triangles = mesh.triangles,
                       .across = Rows<int, 3>(mesh.triangle_count(), 3),
                       .edges_of_triangle = edges.of_triangle,
                       .edges = edges.edges,
                       .fine_vertices = {},
                       .fine_midpoints = {}};
    for (int t = 0; t < mesh.triangle_count(); ++t)
        for (int corner = 0; corner < 3; ++corner) {
            const int own = mesh.triangles(t, (corner + 2) % 3);  // opposite the edge from this corner to the next
            const auto opposite = edges.opposite.row(edges.of_triangle(t, corner));
            result.across(t, corner) = opposite(0) == own ? opposite(1) : opposite(0);
        }
    return result;
}

}  // namespace

Subdivision subdivide(const TriangleMesh& mesh) {
    Subdivision result = connect(mesh);
    result.fine_vertices.resize(static_cast<size_t>(mesh.vertex_count()));
    std::iota(result.fine_vertices.begin(), result.fine_vertices.end(), 0);
    result.fine_midpoints.resize(static_cast<size_t>(result.edges.rows()));
    std::iota(result.fine_midpoints.begin(), result.fine_midpoints.end(), mesh.vertex_count());
    return result;
}

TriangleMesh refine(const TriangleMesh& mesh, const Subdivision& subdivision) {
    TriangleMesh fine;
    fine.positions.resize(subdivision.fine_count(), 3);
    if (mesh.tex_coords.rows() > 0) fine.tex_coords.resize(subdivision.fine_count(), 2);
    for (int v = 0; v < subdivision.coarse_count(); ++v) {
        const int to = subdivision.fine_vertices[static_cast<size_t>(v)];
        fine.positions.row(to) = mesh.positions.row(v);
        if (fine.tex_coords.rows() > 0) fine.tex_coords.row(to) = mesh.tex_coords.row(v);
    }
    for (long e = 0; e < subdivision.edges.rows(); ++e) {
        const int to = subdivision.fine_midpoints[static_cast<size_t>(e)];
        const int a = subdivision.edges(e, 0), b = subdivision.edges(e, 1);
        fine.positions.row(to) = 0.5 * (mesh.positions.row(a) + mesh.positions.row(b));
        if (fine.tex_coords.rows() > 0)
            fine.tex_coords.row(to) = 0.5 * (mesh.tex_coords.row(a) + mesh.tex_coords.row(b));
    }
    fine.triangles.resize(4L * mesh.triangle_count(), 3);
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const auto vertex = [&](int i) { return subdivision.fine_vertices[static_cast<size_t>(mesh.triangles(t, i))]; };
        const auto middle = [&](int i) {
            return subdivision.fine_midpoints[static_cast<size_t>(subdivision.edges_of_triangle(t, i))];
        };
        fine.triangles.row(4L * t) << vertex(0), middle(0), middle(2);
        fine.triangles.row(4L * t + 1) << middle(0), vertex(1), middle(1);
        fine.triangles.row(4L * t + 2) << middle(2), middle(1), vertex(2);
        fine.triangles.row(4L * t + 3) << middle(0), middle(1), middle(2);
    }
    return fine;
}

TriangleMesh coarsen(const TriangleMesh& fine) {
    TriangleMesh coarse;
    coarse.triangles.resize(fine.triangle_count() / 4, 3);
    for (long t = 0; t < coarse.triangles.rows(); ++t)  // each of the first three has a corner of the coarse triangle
        for (int i = 0; i < 3; ++i) coarse.triangles(t, i) = fine.triangles(4 * t + i, i);
    const long vertices = coarse.triangles.maxCoeff() + 1;
    coarse.positions = fine.positions.topRows(vertices);
    if (fine.tex_coords.rows() > 0) coarse.tex_coords = fine.tex_coords.topRows(vertices);
    return coarse;
}

Eigen::VectorXf interpolate_numbers(const Subdivision& subdivision, const Eigen::VectorXf& coarse) {
    Eigen::VectorXf fine(subdivision.fine_count());
    for (int v = 0; v < subdivision.coarse_count(); ++v)
        fine(subdivision.fine_vertices[static_cast<size_t>(v)]) = coarse(v);
    for (long e = 0; e < subdivision.edges.rows(); ++e)
        fine(subdivision.fine_midpoints[static_cast<size_t>(e)]) =
            0.5f * (coarse(subdivision.edges(e, 0)) + coarse(subdivision.edges(e, 1)));
    return fine;
}

Subdivision subdivide_grid(const GridSize& coarse) {
    Subdivision result = connect(make_grid_cloth(coarse, {}).mesh);
    const GridSize fine{2 * coarse.rows - 1, 2 * coarse.columns - 1};
    const auto fine_of = [&](int vertex) {
        return fine.index(2 * (vertex / coarse.columns), 2 * (vertex % coarse.columns));
    };
    for (int v = 0; v < coarse.vertex_count(); ++v) result.fine_vertices.push_back(fine_of(v));
    for (long e = 0; e < result.edges.rows(); ++e)  // halfway between its ends in the fine grid's numbering too
        result.fine_midpoints.push_back((fine_of(result.edges(e, 0)) + fine_of(result.edges(e, 1))) / 2);
    return result;
}

}  // namespace tulle::geometry
