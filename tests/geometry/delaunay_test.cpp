// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/delaunay.h"
#include "tests/support/error_of.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace tulle;
using namespace tulle::geometry;

namespace {

double area(const Points2& points, const auto& t) {
    const Eigen::Vector2d u = points.row(t(1)) - points.row(t(0)), v = points.row(t(2)) - points.row(t(0));
    return (u.x() * v.y() - u.y() * v.x()) / 2;
}

double total_area(const Points2& points, const Triangles& triangles) {
    double sum = 0;
    for (const auto& t : triangles.rowwise()) sum += area(points, t);
    return sum;
}

}  // namespace

TEST_CASE("No point is inside the circle of a Delaunay triangle, and the triangles cover the points") {
    Random random(1);
    Points2 points(80, 2);
    for (long i = 0; i < points.rows(); ++i) points.row(i) << random.uniform(), random.uniform();
    points.topRows(4) << 0, 0, 1, 0, 1, 1, 0, 1;
    const Triangles triangles = delaunay(points);
    CHECK(total_area(points, triangles) == doctest::Approx(1));
    CHECK(triangles.rows() == 2 * 80 - 2 - 4);
    for (const auto& t : triangles.rowwise()) {
        CHECK(area(points, t) > 0);
        const Eigen::Vector2d a = points.row(t(0)), b = points.row(t(1)), c = points.row(t(2));
        for (long i = 0; i < points.rows(); ++i) {
            if (i == t(0) || i == t(1) || i == t(2)) continue;
            Matrix3 m;
            int row = 0;
            for (const Eigen::Vector2d& q : {a, b, c}) {
                const Eigen::Vector2d d = q - Eigen::Vector2d(points.row(i));
                m.row(row++) << d.x(), d.y(), d.squaredNorm();
            }
            CHECK(m.determinant() < 1e-12);
        }
    }
}

TEST_CASE("A filled outline keeps its points and its area, and its triangles are even") {
    constexpr int count = 60;
    Points2 outline(count, 2);
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * i / count;
        outline.row(i) << std::cos(angle), std::sin(angle);
    }
    const FilledOutline filled = fill_outline(outline, 0.105);
    CHECK(filled.points.topRows(count) == outline);
    double polygon = 0;
    for (int i = 0; i < count; ++i) {
        const int j = (i + 1) % count;
        polygon += (outline(i, 0) * outline(j, 1) - outline(j, 0) * outline(i, 1)) / 2;
    }
    CHECK(total_area(filled.points, filled.triangles) == doctest::Approx(polygon));
    for (const auto& t : filled.triangles.rowwise())
        CHECK(area(filled.points, t) > 0.3 * 0.105 * 0.105 * std::sqrt(3) / 4);
}

TEST_CASE("An outline that cannot be filled is refused") {
    Points2 outline(4, 2);
    outline << 0, 0, 1, 1, 1, 0, 0, 1;  // crosses itself
    CHECK(test::contains(test::error_of([&] { (void)fill_outline(outline, 0.1); }), "cannot be filled"));
}
