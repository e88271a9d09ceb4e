// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/intersections.h"

#include <algorithm>
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
    for (int t = 0; t < static_cast<int>(triangles.rows()); ++t)
        extents.emplace_back(positions, Eigen::RowVector3i(triangles.row(t)), t);
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.low(0) < b.low(0); });
    return extents;
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

std::vector<DeepVertex> find_deep_vertices(const Positions& positions, const Colliders& colliders, double time,
                                           double tolerance) {
    std::vector<DeepVertex> found;
    for (size_t c = 0; c < colliders.size(); ++c) {
        const Eigen::Isometry3d to_shape = colliders[c].motion.at(time).inverse();
        for (int v = 0; v < static_cast<int>(positions.rows()); ++v) {
            const double distance = colliders[c].shape->distance(to_shape * Vector3(positions.row(v)));
            if (distance < -tolerance) found.push_back({v, static_cast<int>(c), -distance});
        }
    }
    return found;
}

}  // namespace tulle::collision
