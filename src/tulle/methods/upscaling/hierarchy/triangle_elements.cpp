// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"

#include <cmath>

namespace tulle::methods {

namespace {

// In which order a triangle's corners are taken: from the one opposite the longest rest edge on, so that all triangles
// of a grid look alike. Backwards, if that is allowed, where the first of the two other edges would be the longer.
struct CornerOrder {
    int first = 0;
    bool is_backward = false;

    int corner(int i) const { return (first + (is_backward ? 3 - i % 3 : i)) % 3; }
    int edge(int i) const { return is_backward ? corner(i + 1) : corner(i); }  // from corner i to corner i + 1
};

CornerOrder order_corners(const geometry::Subdivision& level, const Positions& fine_rest, long triangle,
                          bool may_go_backward) {
    const auto rest = [&](int k) {
        return fine_rest.row(level.fine_vertices[static_cast<size_t>(level.triangles(triangle, k % 3))]);
    };
    const auto length = [&](int edge) { return (rest(edge + 1) - rest(edge)).norm(); };
    constexpr double rounding = 1 + 1e-9;
    int longest = 0;
    for (int i = 1; i < 3; ++i)
        if (length(i) > length(longest) * rounding) longest = i;
    CornerOrder order{.first = (longest + 2) % 3};
    order.is_backward = may_go_backward && length(order.first) > length((order.first + 2) % 3) * rounding;
    return order;
}

}  // namespace

TriangleElements::TriangleElements(const geometry::Subdivision& subdivision, const Positions& fine_rest,
                                   Features features)
    : features_(features),
      triangles_(subdivision.triangles),
      across_(subdivision.across),
      edges_(subdivision.edges_of_triangle),
      midpoints_(subdivision.triangles.rows(), 3),
      rest_corners_(3 * subdivision.triangles.rows(), 3),
      rest_midpoints_(3 * subdivision.triangles.rows(), 3) {
    for (long t = 0; t < count(); ++t) {
        const CornerOrder order = order_corners(subdivision, fine_rest, t, is_canonical(features_));
        for (int i = 0; i < 3; ++i) {
            triangles_(t, i) = subdivision.triangles(t, order.corner(i));
            across_(t, i) = subdivision.across(t, order.edge(i));
            edges_(t, i) = subdivision.edges_of_triangle(t, order.edge(i));
            midpoints_(t, i) = subdivision.fine_midpoints[static_cast<size_t>(edges_(t, i))];
            const int corner = subdivision.fine_vertices[static_cast<size_t>(triangles_(t, i))];
            rest_corners_.row(3 * t + i) = fine_rest.row(corner).cast<float>();
            rest_midpoints_.row(3 * t + i) = fine_rest.row(midpoints_(t, i)).cast<float>();
        }
        const auto rest = [&](int i) { return Point(rest_corners_.row(3 * t + i)); };
        units_.push_back(std::sqrt((rest(1) - rest(0)).cross(rest(2) - rest(0)).norm()));
    }
    if (is_canonical(features_)) measure_rest_triangles(subdivision, fine_rest);
}

void TriangleElements::measure_rest_triangles(const geometry::Subdivision& subdivision, const Positions& fine_rest) {
    for (long t = 0; t < count(); ++t) {
        const TrianglePoints p = gather(t, [&](int vertex) {
            return Point(fine_rest.row(subdivision.fine_vertices[static_cast<size_t>(vertex)]).cast<float>());
        });
        rest_triangles_.push_back(make_rest_triangle({p[0], p[1], p[2]}, by_corner(p), unit(t)));
    }
}

float TriangleElements::write_canonical(long triangle, const TrianglePoints& p, const std::array<Point, 3>& base,
                                        const CanonicalFrame& frame, const Stiffness& stiffness,
                                        std::span<float> input) const {
    std::array<Point, 3> bends;
    for (size_t i = 0; i < 3; ++i)
        bends[static_cast<size_t>(opposite_corner(static_cast<int>(i)))] = base[i] - 0.5f * (p[i] + p[(i + 1) % 3]);
    return write_canonical_input(by_corner(p), bends, frame, rest_triangle(triangle), stiffness, input);
}

void TriangleElements::write_paper_input(long triangle, const TrianglePoints& p, std::span<float> input) const {
    for (long i = 0; i < 3; ++i)
        Eigen::Map<Eigen::Vector3f>(input.data() + 3 * i) =
            p[static_cast<size_t>(i)] - rest_corners_.row(3 * triangle + i).transpose();
}

}  // namespace tulle::methods
