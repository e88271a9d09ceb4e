// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/sewing_pattern.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

using Point = Eigen::Vector2d;
using geometry::Points2;

// The outline of one panel: points evenly spaced on each edge, and which of them are on a seam.
struct Outline {
    std::vector<Point> points;
    std::vector<bool> is_seam;
};

double length_of(const std::vector<Point>& line) {
    double length = 0;
    for (size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).norm();
    return length;
}

Point along(const std::vector<Point>& line, double distance) {
    for (size_t i = 1; i < line.size(); ++i) {
        const double piece = (line[i] - line[i - 1]).norm();
        if (distance <= piece || i + 1 == line.size()) return line[i - 1] + distance / piece * (line[i] - line[i - 1]);
        distance -= piece;
    }
    return line.back();
}

Outline trace(const SewingPattern& pattern, bool is_back, double spacing) {
    const auto points_of = [&](const PatternEdge& edge) -> const std::vector<Point>& {
        return is_back && !edge.back.empty() ? edge.back : edge.front;
    };
    Outline outline;
    const size_t count = pattern.edges.size();
    for (size_t e = 0; e < count; ++e) {
        const PatternEdge& edge = pattern.edges[e];
        std::vector<Point> line = points_of(edge);
        line.push_back(points_of(pattern.edges[(e + 1) % count]).front());
        const double length = length_of(line);
        const int pieces = std::max(1, static_cast<int>(std::lround(length / spacing)));
        const bool begins_seam = edge.is_sewn || pattern.edges[(e + count - 1) % count].is_sewn;
        for (int i = 0; i < pieces; ++i) {
            outline.points.push_back(along(line, length * i / pieces));
            outline.is_seam.push_back(i == 0 ? begins_seam : edge.is_sewn);
        }
    }
    return outline;
}

Points2 to_rows(const std::vector<Point>& points) {
    Points2 rows(static_cast<long>(points.size()), 2);
    for (size_t i = 0; i < points.size(); ++i) rows.row(static_cast<long>(i)) = points[i];
    return rows;
}

// Numbers of the back's vertices: those on seams are the front's.
std::vector<int> numbers_of_back(const Outline& front, const Outline& back, long front_count, long back_count) {
    std::vector<int> seam_vertices;  // of the front, in order
    for (size_t i = 0; i < front.points.size(); ++i)
        if (front.is_seam[i]) seam_vertices.push_back(static_cast<int>(i));
    std::vector<int> numbers;
    size_t seam = 0;
    int next = static_cast<int>(front_count);
    for (long v = 0; v < back_count; ++v) {
        const bool is_seam = v < static_cast<long>(back.points.size()) && back.is_seam[static_cast<size_t>(v)];
        numbers.push_back(is_seam ? seam_vertices[seam++] : next++);
    }
    return numbers;
}

}  // namespace

SewnGarment sew(const SewingPattern& pattern, double spacing) {
    const Outline front = trace(pattern, false, spacing), back = trace(pattern, true, spacing);
    const geometry::FilledOutline first = geometry::fill_outline(to_rows(front.points), spacing);
    const geometry::FilledOutline second = geometry::fill_outline(to_rows(back.points), spacing);
    const std::vector<int> numbers = numbers_of_back(front, back, first.points.rows(), second.points.rows());
    const long count =
        1 + std::max(static_cast<long>(*std::max_element(numbers.begin(), numbers.end())), first.points.rows() - 1);
    SewnGarment garment;
    garment.pattern.resize(count, 2);
    garment.side.assign(static_cast<size_t>(count), -1);
    garment.pattern.topRows(first.points.rows()) = first.points;
    for (size_t i = 0; i < front.points.size(); ++i)
        if (front.is_seam[i]) garment.side[i] = 0;
    for (size_t v = 0; v < numbers.size(); ++v) {
        if (numbers[v] < first.points.rows()) continue;
        garment.pattern.row(numbers[v]) = second.points.row(static_cast<long>(v));
        garment.side[static_cast<size_t>(numbers[v])] = 1;
    }
    // Seen from the front (from −y) u runs to the right if x does: a counter-clockwise triangle faces −y.
    garment.front_triangle_count = first.triangles.rows();
    garment.triangles.resize(first.triangles.rows() + second.triangles.rows(), 3);
    garment.triangles.topRows(first.triangles.rows()) = first.triangles;
    for (long t = 0; t < second.triangles.rows(); ++t)
        for (int k = 0; k < 3; ++k)
            garment.triangles(first.triangles.rows() + t, k) = numbers[static_cast<size_t>(second.triangles(t, 2 - k))];
    garment.to_seam.resize(count);
    for (long v = 0; v < count; ++v) {
        double nearest = 1e300;
        for (size_t i = 0; i < front.points.size(); ++i)
            if (front.is_seam[i])
                nearest = std::min(nearest, (front.points[i].transpose() - garment.pattern.row(v)).norm());
        garment.to_seam(v) = nearest;
    }
    return garment;
}

geometry::TriangleMesh rest_shape(const SewnGarment& garment) {
    constexpr double slope = 0.1, farthest = 0.006;  // [1], [m]
    const long count = garment.pattern.rows();
    geometry::TriangleMesh mesh{Positions(count, 3), garment.triangles, TexCoords(count, 2)};
    const Point low = garment.pattern.colwise().minCoeff(), high = garment.pattern.colwise().maxCoeff();
    const double size = (high - low).maxCoeff();
    for (long v = 0; v < count; ++v) {
        const double offset = garment.side[static_cast<size_t>(v)] * std::min(slope * garment.to_seam(v), farthest);
        mesh.positions.row(v) << garment.pattern(v, 0), offset, garment.pattern(v, 1);
        mesh.tex_coords.row(v) = (garment.pattern.row(v) - low.transpose()) / size;
    }
    return mesh;
}

}  // namespace tulle::methods
