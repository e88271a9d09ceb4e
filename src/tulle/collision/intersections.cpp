// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/intersections.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>

namespace tulle::collision {

namespace {

// Extended precision: the differences of doubles are then exact unless their sizes are very different.
using Point = Eigen::Matrix<long double, 3, 1>;

Point point(const Positions& positions, int v) { return positions.row(v).transpose().cast<long double>(); }

// Six times the volume of the tetrahedron; positive if d lies on the side of a b c from which they run clockwise.
long double volume(const Point& a, const Point& b, const Point& c, const Point& d) {
    const Point u = b - a, v = c - a, w = d - a;
    return u(0) * (v(1) * w(2) - v(2) * w(1)) - u(1) * (v(0) * w(2) - v(2) * w(0)) + u(2) * (v(0) * w(1) - v(1) * w(0));
}

using Edge = std::array<int, 2>;

bool crosses(const Positions& positions, const Triangles& triangles, const Edge& edge, int t) {
    const int i = triangles(t, 0), j = triangles(t, 1), k = triangles(t, 2);
    for (const int v : edge)
        if (v == i || v == j || v == k) return false;
    const Point p = point(positions, edge[0]), q = point(positions, edge[1]);
    const Point a = point(positions, i), b = point(positions, j), c = point(positions, k);
    const long double below = volume(a, b, c, p);
    const long double above = volume(a, b, c, q);
    if (!((below < 0 && above > 0) || (below > 0 && above < 0))) return false;
    const long double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

std::vector<Edge> all_edges(const Triangles& triangles) {
    std::set<Edge> edges;
    for (long t = 0; t < triangles.rows(); ++t)
        for (int corner = 0; corner < 3; ++corner) {
            const auto [low, high] = std::minmax({triangles(t, corner), triangles(t, (corner + 1) % 3)});
            edges.insert({low, high});
        }
    return {edges.begin(), edges.end()};
}

struct Extent {
    Eigen::RowVector3d low;
    Eigen::RowVector3d high;
    int index = 0;

    template <typename Vertices>
    Extent(const Positions& positions, const Vertices& vertices, int of)
        : low(positions.row(vertices[0])), high(low), index(of) {
        for (const int v : vertices) {
            low = low.cwiseMin(positions.row(v));
            high = high.cwiseMax(positions.row(v));
        }
    }
    bool overlaps(const Extent& other) const {
        return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
    }
};

std::vector<Extent> triangle_extents(const Positions& positions, const Triangles& triangles) {
    std::vector<Extent> extents;
    extents.reserve(static_cast<size_t>(triangles.rows()));
    for (int t = 0; t < static_cast<int>(triangles.rows()); ++t)
        extents.emplace_back(positions, Eigen::RowVector3i(triangles.row(t)), t);
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.low(0) < b.low(0); });
    return extents;
}

// How often the surface goes around the point: 1 inside, 0 outside. The solid angles of all triangles (Van Oosterom and
// Strackee 1983), over 4π.
double winding_number(const Positions& positions, const Triangles& triangles, const Vector3& point) {
    double sum = 0;
    for (long t = 0; t < triangles.rows(); ++t) {
        const Vector3 a = positions.row(triangles(t, 0)).transpose() - point;
        const Vector3 b = positions.row(triangles(t, 1)).transpose() - point;
        const Vector3 c = positions.row(triangles(t, 2)).transpose() - point;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (2 * std::numbers::pi);
}

double distance_to_segment(const Vector3& point, const Vector3& a, const Vector3& b) {
    const double s = (point - a).dot(b - a) / std::max((b - a).squaredNorm(), 1e-300);
    return (point - a - std::clamp(s, 0.0, 1.0) * (b - a)).norm();
}

// To the plane if the point is above the triangle, else to the nearest side.
double distance_to_triangle(const Vector3& point, const std::array<Vector3, 3>& x) {
    const Vector3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    bool is_above = normal.norm() > 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t k = 0; k < 3; ++k) {
        const Vector3 &a = x[k], &b = x[(k + 1) % 3];
        is_above = is_above && normal.dot((b - a).cross(point - a)) >= 0;
        nearest = std::min(nearest, distance_to_segment(point, a, b));
    }
    return is_above ? std::abs(normal.normalized().dot(point - x[0])) : nearest;
}

// Negative inside; every triangle is looked at.
double signed_distance(const Positions& positions, const Triangles& triangles, const Vector3& point) {
    double nearest = std::numeric_limits<double>::infinity();
    for (long t = 0; t < triangles.rows(); ++t)
        nearest = std::min(nearest, distance_to_triangle(point, {positions.row(triangles(t, 0)).transpose(),
                                                                 positions.row(triangles(t, 1)).transpose(),
                                                                 positions.row(triangles(t, 2)).transpose()}));
    return winding_number(positions, triangles, point) > 0.5 ? -nearest : nearest;
}

std::function<double(const Vector3&)> distance_to(const Collider& collider, double time) {
    if (collider.deforming)
        return [&collider, positions = collider.deforming->positions_at(time)](const Vector3& point) {
            return signed_distance(positions, collider.deforming->triangles(), point);
        };
    return [&collider, to_shape = Eigen::Isometry3d(collider.motion.at(time).inverse())](const Vector3& point) {
        return collider.shape->distance(to_shape * point);
    };
}

}  // namespace

std::vector<Crossing> find_crossings_reference(const Positions& positions, const Triangles& triangles) {
    std::vector<Crossing> found;
    for (const Edge& edge : all_edges(triangles))
        for (int t = 0; t < static_cast<int>(triangles.rows()); ++t)
            if (crosses(positions, triangles, edge, t)) found.push_back({edge, t});
    return found;
}

std::vector<Crossing> find_crossings(const Positions& positions, const Triangles& triangles) {
    const std::vector<Extent> extents = triangle_extents(positions, triangles);
    double widest = 0;
    for (const Extent& extent : extents) widest = std::max(widest, extent.high(0) - extent.low(0));
    std::vector<Crossing> found;
    for (const Edge& edge : all_edges(triangles)) {
        const Extent own(positions, edge, 0);
        auto other = std::lower_bound(extents.begin(), extents.end(), own.low(0) - 1.001 * widest,
                                      [](const Extent& e, double x) { return e.low(0) < x; });
        for (; other != extents.end() && other->low(0) <= own.high(0); ++other)
            if (own.overlaps(*other) && crosses(positions, triangles, edge, other->index))
                found.push_back({edge, other->index});
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<int> find_cuts(const Positions& positions, const Triangles& triangles, const geometry::TriangleMesh& mesh) {
    // Both as one mesh, whose parts share no vertices.
    Positions all(positions.rows() + mesh.positions.rows(), 3);
    all << positions, mesh.positions;
    const Triangles others = mesh.triangles.array() + static_cast<int>(positions.rows());
    const std::vector<Extent> own = triangle_extents(all, triangles), theirs = triangle_extents(all, others);
    double widest = 0;
    for (const Extent& extent : theirs) widest = std::max(widest, extent.high(0) - extent.low(0));
    const auto edge_crosses = [&](const Triangles& of, int t, const Triangles& through, int other) {
        for (int k = 0; k < 3; ++k)
            if (crosses(all, through, {of(t, k), of(t, (k + 1) % 3)}, other)) return true;
        return false;
    };
    std::vector<int> found;
    for (const Extent& triangle : own) {
        auto other = std::lower_bound(theirs.begin(), theirs.end(), triangle.low(0) - 1.001 * widest,
                                      [](const Extent& e, double x) { return e.low(0) < x; });
        for (; other != theirs.end() && other->low(0) <= triangle.high(0); ++other)
            if (triangle.overlaps(*other) && (edge_crosses(triangles, triangle.index, others, other->index) ||
                                              edge_crosses(others, other->index, triangles, triangle.index))) {
                found.push_back(triangle.index);
                break;
            }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<DeepVertex> find_deep_vertices(const Positions& positions, const Colliders& colliders, double time,
                                           double tolerance) {
    std::vector<DeepVertex> found;
    for (size_t c = 0; c < colliders.size(); ++c) {
        const auto distance_at = distance_to(colliders[c], time);
        for (int v = 0; v < static_cast<int>(positions.rows()); ++v) {
            const double distance = distance_at(positions.row(v));
            if (distance < -tolerance) found.push_back({v, static_cast<int>(c), -distance});
        }
    }
    return found;
}

}  // namespace tulle::collision
