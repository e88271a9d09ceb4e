// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pattern_image.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace tulle::methods {

namespace {

// Two neighbouring pixels of a line, and the weight of the second.
struct Between {
    int first = 0, second = 0;
    double weight = 0;
};

// `part` of the way along a line of pixels, 0 to 1.
Between between(double part, int pixels) {
    const double place = part * (pixels - 1);
    const int first = std::clamp(static_cast<int>(std::floor(place)), 0, std::max(pixels - 2, 0));
    return {first, std::min(first + 1, pixels - 1), std::clamp(place - first, 0.0, 1.0)};
}

double part_of(double value, double low, double high) { return high > low ? (value - low) / (high - low) : 0; }

}  // namespace

std::vector<PatternSide> pattern_sides(const Rows<double, 2>& pattern, const Triangles& triangles) {
    const auto count = static_cast<size_t>(pattern.rows());
    std::vector<bool> has_front(count, false), has_back(count, false);
    for (const auto& t : triangles.rowwise()) {
        const Eigen::Vector2d a = pattern.row(t(1)) - pattern.row(t(0)), b = pattern.row(t(2)) - pattern.row(t(0));
        const double area = a.x() * b.y() - a.y() * b.x();
        for (const int v : t) {
            if (area > 0) has_front[static_cast<size_t>(v)] = true;
            if (area < 0) has_back[static_cast<size_t>(v)] = true;
        }
    }
    std::vector<PatternSide> sides(count, PatternSide::Front);
    for (size_t v = 0; v < count; ++v)
        if (has_back[v]) sides[v] = has_front[v] ? PatternSide::Seam : PatternSide::Back;
    return sides;
}

PatternImage::PatternImage(const Rows<double, 2>& pattern, const Triangles& triangles, int height, int width)
    : height_(height), width_(width), first_taps_{0} {
    assert(height > 0 && width > 0 && pattern.rows() > 0);
    const std::vector<PatternSide> sides = pattern_sides(pattern, triangles);
    const Eigen::RowVector2d low = pattern.colwise().minCoeff(), high = pattern.colwise().maxCoeff();
    const int back = 3 * height * width;  // where the image of the back begins
    for (long v = 0; v < pattern.rows(); ++v) {
        const Between column = between(part_of(pattern(v, 0), low(0), high(0)), width);
        const Between row = between(part_of(pattern(v, 1), low(1), high(1)), height);
        const PatternSide side = sides[static_cast<size_t>(v)];
        const double share = side == PatternSide::Seam ? 0.5 : 1;
        const std::array<Tap, 4> corners = {{
            {row.first * width + column.first, static_cast<float>(share * (1 - row.weight) * (1 - column.weight))},
            {row.first * width + column.second, static_cast<float>(share * (1 - row.weight) * column.weight)},
            {row.second * width + column.first, static_cast<float>(share * row.weight * (1 - column.weight))},
            {row.second * width + column.second, static_cast<float>(share * row.weight * column.weight)},
        }};
        for (const Tap& tap : corners) {
            if (tap.weight == 0) continue;
            if (side != PatternSide::Back) taps_.push_back(tap);
            if (side != PatternSide::Front) taps_.push_back({back + tap.pixel, tap.weight});
        }
        first_taps_.push_back(static_cast<int>(taps_.size()));
    }
}

std::span<const PatternImage::Tap> PatternImage::taps(long vertex) const {
    const auto v = static_cast<size_t>(vertex);
    return {taps_.data() + first_taps_[v], taps_.data() + first_taps_[v + 1]};
}

Positions PatternImage::read(std::span<const float> image) const {
    assert(static_cast<long>(image.size()) == size());
    const long channel = static_cast<long>(height_) * width_;
    Positions vectors(vertex_count(), 3);
    parallel_for(vectors.rows(), [&](long v) {
        Vector3 sum = Vector3::Zero();
        for (const Tap& tap : taps(v))
            for (int k = 0; k < 3; ++k) sum(k) += static_cast<double>(tap.weight * image[tap.pixel + k * channel]);
        vectors.row(v) = sum;
    });
    return vectors;
}

}  // namespace tulle::methods
