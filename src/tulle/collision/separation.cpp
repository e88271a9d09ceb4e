// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/separation.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace tulle::collision {

namespace {

// Where on the segment a–b the point nearest p is, in [0, 1].
double nearest_on_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
    const Vector3 along = b - a;
    const double length_squared = along.squaredNorm();
    return length_squared > 0 ? std::clamp((p - a).dot(along) / length_squared, 0.0, 1.0) : 0.0;
}

Separation from_triangle_point(const FourPoints& x, double b1, double b2, double b3) {
    return {x[0] - (b1 * x[1] + b2 * x[2] + b3 * x[3]), {1, -b1, -b2, -b3}};
}

// The nearest of the three sides. Used where the plane of the triangle does not decide, or has no normal.
Separation from_triangle_border(const FourPoints& x) {
    Separation best;
    double best_squared = -1;
    for (int side = 1; side <= 3; ++side) {
        const int next = side % 3 + 1;
        const double s = nearest_on_segment(x[0], x[side], x[next]);
        const Vector3 vector = x[0] - (x[side] + s * (x[next] - x[side]));
        if (const double squared = vector.squaredNorm(); best_squared < 0 || squared < best_squared) {
            best_squared = squared;
            best.vector = vector;
            best.weights = {1, 0, 0, 0};
            best.weights[static_cast<size_t>(side)] = s - 1;
            best.weights[static_cast<size_t>(next)] = -s;
        }
    }
    return best;
}

Separation from_edge_points(const FourPoints& x, double s, double t) {
    return {(x[0] + s * (x[1] - x[0])) - (x[2] + t * (x[3] - x[2])), {1 - s, s, t - 1, -t}};
}

// The nearest of the four ends to the other edge.
Separation from_edge_ends(const FourPoints& x) {
    Separation best = from_edge_points(x, 0, nearest_on_segment(x[0], x[2], x[3]));
    const auto consider = [&](double s, double t) {
        const Separation other = from_edge_points(x, s, t);
        if (other.vector.squaredNorm() < best.vector.squaredNorm()) best = other;
    };
    consider(1, nearest_on_segment(x[1], x[2], x[3]));
    consider(nearest_on_segment(x[2], x[0], x[1]), 0);
    consider(nearest_on_segment(x[3], x[0], x[1]), 1);
    return best;
}

}  // namespace

Separation vertex_triangle_separation(const FourPoints& x) {
    const Vector3 u = x[2] - x[1];
    const Vector3 v = x[3] - x[1];
    const Vector3 w = x[0] - x[1];
    const Vector3 normal = u.cross(v);
    const double area_squared = normal.squaredNorm();
    if (area_squared > 0) {
        const double b3 = u.cross(w).dot(normal) / area_squared;
        const double b2 = w.cross(v).dot(normal) / area_squared;
        if (b2 >= 0 && b3 >= 0 && b2 + b3 <= 1) return from_triangle_point(x, 1 - b2 - b3, b2, b3);
    }
    return from_triangle_border(x);
}

Separation edge_edge_separation(const FourPoints& x) {
    const Vector3 u = x[1] - x[0];
    const Vector3 v = x[3] - x[2];
    const Vector3 w = x[0] - x[2];
    const double uu = u.dot(u);
    const double uv = u.dot(v);
    const double vv = v.dot(v);
    const double determinant = uu * vv - uv * uv;
    // The crossing point of nearly parallel lines is noise; their ends decide.
    if (determinant > 1e-9 * uu * vv) {
        const double s = (uv * v.dot(w) - vv * u.dot(w)) / determinant;
        const double t = (uu * v.dot(w) - uv * u.dot(w)) / determinant;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return from_edge_points(x, s, t);
    }
    return from_edge_ends(x);
}

}  // namespace tulle::collision
