// SPDX-License-Identifier: Apache-2.0
#include "tests/workflows/touching.h"

#include <algorithm>
#include <vector>

namespace tulle::test {

namespace {

double distance_to_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
    const double along = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (a + along * (b - a) - p).norm();
}

// The foot of the perpendicular is in the triangle if the three triangles that it makes with the sides turn alike;
// otherwise a side is nearest.
double distance_to_triangle(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 normal = (b - a).cross(c - a).normalized();
    const double height = (p - a).dot(normal);
    const Vector3 foot = p - height * normal;
    const auto turns = [&](const Vector3& from, const Vector3& to) {
        return (to - from).cross(foot - from).dot(normal) >= 0;
    };
    if (turns(a, b) && turns(b, c) && turns(c, a)) return std::abs(height);
    return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

struct Box {
    Vector3 low, high;
    int triangle = 0;
};

std::vector<Box> sorted_boxes(const Positions& positions, const Triangles& triangles) {
    std::vector<Box> boxes;
    for (int t = 0; t < static_cast<int>(triangles.rows()); ++t) {
        const Matrix3 corners = positions(triangles.row(t), Eigen::all);
        boxes.push_back({corners.colwise().minCoeff(), corners.colwise().maxCoeff(), t});
    }
    std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.low(0) < b.low(0); });
    return boxes;
}

}  // namespace

int vertices_at_colliders(const Positions& positions, const collision::Colliders& colliders, double time,
                          double slack) {
    int count = 0;
    for (const collision::Collider& collider : colliders) {
        const collision::PlacedCollider placed(collider, time);
        const Eigen::Isometry3d to_shape = placed.to_world().inverse();
        for (long v = 0; v < positions.rows(); ++v)
            if (placed.shape().distance(to_shape * Vector3(positions.row(v))) < collider.thickness + slack) ++count;
    }
    return count;
}

int vertices_at_other_layers(const Positions& positions, const Positions& rest_positions, const Triangles& triangles,
                             double distance, double apart) {
    const std::vector<Box> boxes = sorted_boxes(positions, triangles);
    double widest = 0;
    for (const Box& box : boxes) widest = std::max(widest, box.high(0) - box.low(0));
    const auto is_near = [&](int v, const Box& box) {
        const Vector3 p = positions.row(v);
        if ((p.array() < box.low.array() - distance).any() || (p.array() > box.high.array() + distance).any())
            return false;
        const auto corners = triangles.row(box.triangle);
        for (const int corner : corners)
            if ((rest_positions.row(corner) - rest_positions.row(v)).norm() <= apart) return false;
        return distance_to_triangle(p, positions.row(corners(0)), positions.row(corners(1)),
                                    positions.row(corners(2))) < distance;
    };
    int count = 0;
    for (int v = 0; v < static_cast<int>(positions.rows()); ++v) {
        const auto first = std::lower_bound(boxes.begin(), boxes.end(), positions(v, 0) - distance - widest,
                                            [](const Box& box, double x) { return box.low(0) < x; });
        const auto last = std::upper_bound(first, boxes.end(), positions(v, 0) + distance,
                                           [](double x, const Box& box) { return x < box.low(0); });
        if (std::any_of(first, last, [&](const Box& box) { return is_near(v, box); })) ++count;
    }
    return count;
}

}  // namespace tulle::test
