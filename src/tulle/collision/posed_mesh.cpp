// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/posed_mesh.h"

#include "tulle/collision/separation.h"

#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

Vector3 corner(const Positions& positions, const Triangles& triangles, int triangle, int k) {
    return positions.row(triangles(triangle, k));
}

Positions triangle_centers(const geometry::TriangleMesh& mesh) {
    Positions centers(mesh.triangles.rows(), 3);
    for (long t = 0; t < centers.rows(); ++t)
        centers.row(t) = (mesh.positions.row(mesh.triangles(t, 0)) + mesh.positions.row(mesh.triangles(t, 1)) +
                          mesh.positions.row(mesh.triangles(t, 2))) /
                         3;
    return centers;
}

// Boxes are of single precision: rounded outward, they still hold all of the triangle.
Box box_around(const Positions& positions, const Triangles& triangles, int t) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Box box;
    for (size_t axis = 0; axis < 3; ++axis) {
        const auto x = [&](int k) { return positions(triangles(t, k), static_cast<long>(axis)); };
        box.low[axis] = std::nextafter(static_cast<float>(std::min({x(0), x(1), x(2)})), -infinity);
        box.high[axis] = std::nextafter(static_cast<float>(std::max({x(0), x(1), x(2)})), infinity);
    }
    return box;
}

double angle_between(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

}  // namespace

// Neighbouring places of a centimetre have slots of their own; far ones may share one.
size_t SearchHints::slot(const Vector3& point) {
    constexpr double cells_per_metre = 100;
    size_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double cell = std::floor(std::clamp(cells_per_metre * point(axis), -1e6, 1e6));
        hash = 31 * hash + static_cast<size_t>(static_cast<long>(cell));
    }
    return hash % slots;
}

ClosedTopology::ClosedTopology(const geometry::TriangleMesh& closed_mesh)
    : triangles(closed_mesh.triangles), tree(triangle_centers(closed_mesh)) {
    const geometry::MeshEdges edges = geometry::mesh_edges(closed_mesh);
    edges_of_triangle = edges.of_triangle;
    edge_count = edges.edges.rows();
}

MeshSearch::MeshSearch(const ClosedTopology& topology, Positions positions)
    : topology_(topology), positions_(std::move(positions)), tree_(topology.tree) {
    tree_.refit([&](int t) { return box_around(positions_, topology_.triangles, t); });
}

SurfacePlace MeshSearch::nearest(const Vector3& point) const {
    SurfacePlace best;
    double reach_squared = std::numeric_limits<double>::infinity();
    const auto look = [&](int t) {
        const Separation found = vertex_triangle_separation({point, corner(positions_, topology_.triangles, t, 0),
                                                             corner(positions_, topology_.triangles, t, 1),
                                                             corner(positions_, topology_.triangles, t, 2)});
        const double squared = found.vector.squaredNorm();
        if (!(squared < reach_squared || (squared == reach_squared && t < best.triangle))) return;
        reach_squared = squared;
        best = {t, {-found.weights[1], -found.weights[2], -found.weights[3]}};
    };
    look(topology_.hints.near(point));
    tree_.visit_near(point, reach_squared, look);
    topology_.hints.keep(point, best.triangle);
    return best;
}

Vector3 MeshSearch::at(const SurfacePlace& place) const {
    Vector3 point = Vector3::Zero();
    for (int k = 0; k < 3; ++k)
        point += place.weights[static_cast<size_t>(k)] * corner(positions_, topology_.triangles, place.triangle, k);
    return point;
}

PosedMesh::PosedMesh(const ClosedTopology& topology, Positions positions)
    : search_(topology, std::move(positions)),
      face_normals_(topology.triangles.rows(), 3),
      edge_normals_(Positions::Zero(topology.edge_count, 3)),
      vertex_normals_(Positions::Zero(search_.positions().rows(), 3)) {
    const Triangles& triangles = topology.triangles;
    Positions angles(triangles.rows(), 3);  // [rad]
    parallel_for(triangles.rows(), [&](long t) {
        const auto x = [&](int k) { return corner(search_.positions(), triangles, static_cast<int>(t), k % 3); };
        face_normals_.row(t) = (x(1) - x(0)).cross(x(2) - x(0)).stableNormalized();
        for (int k = 0; k < 3; ++k) angles(t, k) = angle_between(x(k + 1) - x(k), x(k + 2) - x(k));
    });
    for (long t = 0; t < triangles.rows(); ++t) {
        for (int k = 0; k < 3; ++k) {
            edge_normals_.row(topology.edges_of_triangle(t, k)) += face_normals_.row(t);
            vertex_normals_.row(triangles(t, k)) += angles(t, k) * face_normals_.row(t);
        }
    }
    for (const auto& point : search_.positions().rowwise()) bounds_.extend(Vector3(point));
}

geometry::TriangleMesh PosedMesh::to_mesh() const { return {search_.positions(), search_.topology().triangles, {}}; }

SurfacePoint PosedMesh::surface(const Vector3& point) const {
    const SurfacePlace place = search_.nearest(point);
    const Vector3 way = point - search_.at(place);
    const Vector3 outward = normal(place);
    const double length = way.norm();
    const double sign = way.dot(outward) < 0 ? -1 : 1;
    constexpr double on_surface = 1e-9;  // [m] nearer, the way has no direction
    return {sign * length, length > on_surface ? Vector3(sign / length * way) : Vector3(outward.stableNormalized())};
}

Vector3 PosedMesh::normal(const SurfacePlace& place) const {
    const ClosedTopology& topology = search_.topology();
    const auto is_zero = [&](int k) { return place.weights[static_cast<size_t>(k % 3)] == 0; };
    for (int k = 0; k < 3; ++k) {
        if (is_zero(k + 1) && is_zero(k + 2)) return vertex_normals_.row(topology.triangles(place.triangle, k));
        if (is_zero(k + 2) && !is_zero(k) && !is_zero(k + 1))
            return edge_normals_.row(topology.edges_of_triangle(place.triangle, k));
    }
    return face_normals_.row(place.triangle);
}

}  // namespace tulle::collision
