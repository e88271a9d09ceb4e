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

// The nearest of the three sides.
Separation from_triangle_border(const FourPoints& x) {
    Separation best;
    double best_squared = -1;
    for (size_t side = 1; side <= 3; ++side) {
        const size_t next = side % 3 + 1;
        const double s = nearest_on_segment(x[0], x[side], x[next]);
        const Vector3 vector = x[0] - (x[side] + s * (x[next] - x[side]));
        if (const double squared = vector.squaredNorm(); best_squared < 0 || squared < best_squared) {
            best_squared = squared;
            best = {vector, {1, 0, 0, 0}};
            best.weights[side] = s - 1;
            best.weights[next] = -s;
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

// By the regions around the triangle: each corner, each side, the inside. d1…d6 are the products of the two sides at
// x1 with the ways from each corner to the vertex.
Separation vertex_triangle_separation(const FourPoints& x) {
    const Vector3 u = x[2] - x[1];
    const Vector3 v = x[3] - x[1];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v);
    // A triangle without area has no inside.
    if (!(uu * vv - uv * uv > 1e-9 * uu * vv)) return from_triangle_border(x);
    const Vector3 from1 = x[0] - x[1];
    const double d1 = u.dot(from1), d2 = v.dot(from1);
    if (d1 <= 0 && d2 <= 0) return from_triangle_point(x, 1, 0, 0);
    const Vector3 from2 = x[0] - x[2];
    const double d3 = u.dot(from2), d4 = v.dot(from2);
    if (d3 >= 0 && d4 <= d3) return from_triangle_point(x, 0, 1, 0);
    const double opposite3 = d1 * d4 - d3 * d2;
    if (opposite3 <= 0 && d1 >= 0 && d3 <= 0) {
        const double s = d1 / (d1 - d3);
        return from_triangle_point(x, 1 - s, s, 0);
    }
    const Vector3 from3 = x[0] - x[3];
    const double d5 = u.dot(from3), d6 = v.dot(from3);
    if (d6 >= 0 && d5 <= d6) return from_triangle_point(x, 0, 0, 1);
    const double opposite2 = d5 * d2 - d1 * d6;
    if (opposite2 <= 0 && d2 >= 0 && d6 <= 0) {
        const double s = d2 / (d2 - d6);
        return from_triangle_point(x, 1 - s, 0, s);
    }
    const double opposite1 = d3 * d6 - d5 * d4;
    if (opposite1 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double s = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return from_triangle_point(x, 0, 1 - s, s);
    }
    const double area = opposite1 + opposite2 + opposite3;
    return from_triangle_point(x, opposite1 / area, opposite2 / area, opposite3 / area);
}

Separation edge_edge_separation(const FourPoints& x) {
    const Vector3 u = x[1] - x[0];
    const Vector3 v = x[3] - x[2];
    const Vector3 w = x[0] - x[2];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v);
    const double uw = u.dot(w), vw = v.dot(w);
    const double determinant = uu * vv - uv * uv;
    // The crossing point of nearly parallel lines is noise; their ends decide.
    if (!(determinant > 1e-9 * uu * vv)) return from_edge_ends(x);
    double s = std::clamp((uv * vw - vv * uw) / determinant, 0.0, 1.0);
    double t = (uv * s + vw) / vv;
    if (t < 0 || t > 1) {
        t = t < 0 ? 0 : 1;
        s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
    }
    return from_edge_points(x, s, t);
}

}  // namespace tulle::collision
