// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/delaunay.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace tulle::geometry {

namespace {

using Point = Eigen::Vector2d;
using Corners = std::array<int, 3>;

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

// A triangle and the circle through its corners.
struct Circled {
    Corners corners;
    Point center;
    double radius_squared;
};

Circled circled(const Corners& c, const std::vector<Point>& points) {
    const Point& a = points[static_cast<size_t>(c[0])];
    const Point b = points[static_cast<size_t>(c[1])] - a, d = points[static_cast<size_t>(c[2])] - a;
    const double twice_area = 2 * cross(b, d);
    const Point offset((d.y() * b.squaredNorm() - b.y() * d.squaredNorm()) / twice_area,
                       (b.x() * d.squaredNorm() - d.x() * b.squaredNorm()) / twice_area);
    return {c, a + offset, offset.squaredNorm()};
}

// Replaces the triangles whose circle holds the new point by a fan around it.
void insert(int index, const std::vector<Point>& points, std::vector<Circled>& triangles) {
    const Point& point = points[static_cast<size_t>(index)];
    std::map<std::pair<int, int>, bool> border;  // directed edges of what is taken away, true if no twin was met
    const auto is_hit = [&](const Circled& t) {
        return (point - t.center).squaredNorm() < t.radius_squared * (1 + 1e-12);
    };
    for (const Circled& t : triangles) {
        if (!is_hit(t)) continue;
        for (size_t k = 0; k < 3; ++k) {
            const std::pair<int, int> edge = {t.corners[k], t.corners[(k + 1) % 3]};
            const auto twin = border.find({edge.second, edge.first});
            if (twin != border.end())
                twin->second = false;
            else
                border[edge] = true;
        }
    }
    std::erase_if(triangles, is_hit);
    for (const auto& [edge, is_outer] : border)
        if (is_outer) triangles.push_back(circled({edge.first, edge.second, index}, points));
}

bool is_inside(const Points2& outline, const Point& p) {
    bool inside = false;
    for (long i = 0, j = outline.rows() - 1; i < outline.rows(); j = i++) {
        const Point a = outline.row(i), b = outline.row(j);
        if ((a.y() > p.y()) != (b.y() > p.y()) && p.x() < (b.x() - a.x()) * (p.y() - a.y()) / (b.y() - a.y()) + a.x())
            inside = !inside;
    }
    return inside;
}

double distance_to(const Points2& outline, const Point& p) {
    double nearest = 1e300;
    for (long i = 0, j = outline.rows() - 1; i < outline.rows(); j = i++) {
        const Point a = outline.row(i), along = Point(outline.row(j)) - a;
        const double s = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
        nearest = std::min(nearest, (p - a - s * along).norm());
    }
    return nearest;
}

// Nearer to the outline than this part of the spacing there are no other points, so that all its edges are kept.
constexpr double clearance = 0.62;

Points2 lattice_inside(const Points2& outline, double spacing) {
    const Point low = outline.colwise().minCoeff(), high = outline.colwise().maxCoeff();
    const double row_height = spacing * std::sqrt(3) / 2, middle = 0.5 * (low.x() + high.x());
    const int rows = static_cast<int>((high.y() - low.y()) / row_height) + 1;
    const int columns = static_cast<int>((high.x() - low.x()) / 2 / spacing) + 1;
    std::vector<Point> found;
    for (int r = 0; r < rows; ++r)
        for (int c = -columns; c <= columns; ++c) {
            const Point p(middle + spacing * (c + (r % 2 == 0 ? 0 : 0.5)), low.y() + row_height * (r + 0.5));
            if (is_inside(outline, p) && distance_to(outline, p) > clearance * spacing) found.push_back(p);
        }
    Points2 points(static_cast<long>(found.size()), 2);
    for (size_t i = 0; i < found.size(); ++i) points.row(static_cast<long>(i)) = found[i];
    return points;
}

void check_outline_is_kept(const Points2& outline, const std::vector<Corners>& triangles) {
    std::set<std::pair<int, int>> edges;
    for (const Corners& c : triangles)
        for (size_t k = 0; k < 3; ++k) edges.insert({c[k], c[(k + 1) % 3]});
    const int count = static_cast<int>(outline.rows());
    for (int i = 0; i < count; ++i)
        if (!edges.contains({i, (i + 1) % count}))
            throw Error("the outline of a pattern cannot be filled at its point {}; space its points evenly", i);
}

// Points inside move to the mean of their neighbours.
void relax(FilledOutline& filled, long fixed) {
    for (int pass = 0; pass < 10; ++pass) {
        Points2 sums = Points2::Zero(filled.points.rows(), 2);
        VectorX counts = VectorX::Zero(filled.points.rows());
        for (const auto& t : filled.triangles.rowwise())
            for (int k = 0; k < 3; ++k) {
                sums.row(t(k)) += filled.points.row(t((k + 1) % 3)) + filled.points.row(t((k + 2) % 3));
                counts(t(k)) += 2;
            }
        for (long v = fixed; v < filled.points.rows(); ++v) filled.points.row(v) = sums.row(v) / counts(v);
    }
}

}  // namespace

Triangles delaunay(const Points2& points) {
    std::vector<Point> all;
    for (const auto& p : points.rowwise()) all.emplace_back(p);
    const Point low = points.colwise().minCoeff(), high = points.colwise().maxCoeff();
    const Point middle = 0.5 * (low + high);
    const double reach = 1e4 * (high - low).norm();
    const int count = static_cast<int>(all.size());
    all.emplace_back(middle + Point(-reach, -reach));
    all.emplace_back(middle + Point(reach, -reach));
    all.emplace_back(middle + Point(0, reach));
    std::vector<Circled> triangles = {circled({count, count + 1, count + 2}, all)};
    for (int i = 0; i < count; ++i) insert(i, all, triangles);
    std::erase_if(triangles, [&](const Circled& t) {
        return std::any_of(t.corners.begin(), t.corners.end(), [&](int v) { return v >= count; });
    });
    Triangles result(static_cast<long>(triangles.size()), 3);
    for (size_t t = 0; t < triangles.size(); ++t)
        result.row(static_cast<long>(t)) << triangles[t].corners[0], triangles[t].corners[1], triangles[t].corners[2];
    return result;
}

FilledOutline fill_outline(const Points2& outline, double spacing) {
    const Points2 inside = lattice_inside(outline, spacing);
    FilledOutline filled;
    filled.points.resize(outline.rows() + inside.rows(), 2);
    filled.points << outline, inside;
    std::vector<Corners> kept;
    const Triangles all = delaunay(filled.points);
    for (const auto& t : all.rowwise()) {
        const Point center = (filled.points.row(t(0)) + filled.points.row(t(1)) + filled.points.row(t(2))) / 3;
        if (is_inside(outline, center)) kept.push_back({t(0), t(1), t(2)});
    }
    check_outline_is_kept(outline, kept);
    filled.triangles.resize(static_cast<long>(kept.size()), 3);
    for (size_t t = 0; t < kept.size(); ++t)
        filled.triangles.row(static_cast<long>(t)) << kept[t][0], kept[t][1], kept[t][2];
    relax(filled, outline.rows());
    return filled;
}

}  // namespace tulle::geometry
