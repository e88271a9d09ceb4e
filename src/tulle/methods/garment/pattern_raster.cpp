// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pattern_raster.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

using Point = Eigen::Vector2d;

double twice_area(const Point& a, const Point& b, const Point& c) {
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

// Of `place` in the triangle; all at least zero where it is inside.
std::array<double, 3> weights_in(const std::array<Point, 3>& corners, const Point& place) {
    const double whole = twice_area(corners[0], corners[1], corners[2]);
    return {twice_area(place, corners[1], corners[2]) / whole, twice_area(corners[0], place, corners[2]) / whole,
            twice_area(corners[0], corners[1], place) / whole};
}

}  // namespace

std::vector<PatternPixel> rasterise(const Rows<double, 2>& pattern, const Triangles& triangles, int height, int width) {
    constexpr double slack = 1e-9;  // so that a pixel on an edge belongs to a triangle
    const Eigen::RowVector2d low = pattern.colwise().minCoeff(), size = pattern.colwise().maxCoeff() - low;
    const Eigen::RowVector2d pixels(width - 1, height - 1);
    const int channel = height * width;
    std::vector<PatternPixel> found(static_cast<size_t>(2 * channel));  // a whole front, then a whole back
    std::vector<bool> is_found(found.size(), false);
    for (const auto& t : triangles.rowwise()) {
        std::array<Point, 3> corners;  // [pixels]
        for (int k = 0; k < 3; ++k)
            corners[static_cast<size_t>(k)] =
                ((pattern.row(t(k)) - low).array() / size.array() * pixels.array()).transpose();
        const double area = twice_area(corners[0], corners[1], corners[2]);
        if (area == 0) continue;
        const auto [left, right] = std::minmax({corners[0].x(), corners[1].x(), corners[2].x()});
        const auto [bottom, top] = std::minmax({corners[0].y(), corners[1].y(), corners[2].y()});
        for (int y = static_cast<int>(std::ceil(bottom - slack)); y <= top + slack; ++y)
            for (int x = static_cast<int>(std::ceil(left - slack)); x <= right + slack; ++x) {
                const std::array<double, 3> weights = weights_in(corners, Point(x, y));
                if (*std::ranges::min_element(weights) < -slack || x >= width || y >= height) continue;
                const size_t place = static_cast<size_t>((area > 0 ? 0 : channel) + y * width + x);
                const int first = (area > 0 ? 0 : 3 * channel) + y * width + x;
                found[place] = {first, {t(0), t(1), t(2)}, {}};
                std::ranges::transform(weights, found[place].weights.begin(),
                                       [](double weight) { return static_cast<float>(weight); });
                is_found[place] = true;
            }
    }
    std::vector<PatternPixel> result;
    for (size_t i = 0; i < found.size(); ++i)
        if (is_found[i]) result.push_back(found[i]);
    return result;
}

}  // namespace tulle::methods
