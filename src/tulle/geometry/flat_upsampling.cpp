// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/flat_upsampling.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace tulle::geometry {

//   a ── b     The fine vertex is i columns and j rows from a. The cell is cut from a to d.
//   │ ╲  │
//   c ── d
FlatUpsampling::FlatUpsampling(const Miniature& miniature) {
    const GridSize& coarse = miniature.coarse;
    const int s = miniature.factor;
    const auto part = [&](int cells) { return static_cast<double>(cells) / s; };
    for (int row = 0; row < miniature.fine.rows; ++row)
        for (int column = 0; column < miniature.fine.columns; ++column) {
            const int r = std::min(row / s, coarse.rows - 2), c = std::min(column / s, coarse.columns - 2);
            const int i = column - c * s, j = row - r * s;
            const int a = coarse.index(r, c), d = coarse.index(r + 1, c + 1);
            places_.push_back(i > j ? Place{{a, coarse.index(r, c + 1), d}, {part(s - i), part(i - j), part(j)}}
                                    : Place{{a, coarse.index(r + 1, c), d}, {part(s - j), part(j - i), part(i)}});
        }
}

FlatUpsampling::FlatUpsampling(const Hierarchy& hierarchy) {
    for (int v = 0; v < hierarchy.subdivisions.front().coarse_count(); ++v) places_.push_back({{v, v, v}, {1, 0, 0}});
    for (const Subdivision& level : hierarchy.subdivisions) {
        std::vector<Place> finer(static_cast<size_t>(level.fine_count()));
        for (size_t v = 0; v < places_.size(); ++v) finer[static_cast<size_t>(level.fine_vertices[v])] = places_[v];
        for (long e = 0; e < level.edges.rows(); ++e)
            finer[static_cast<size_t>(level.fine_midpoints[static_cast<size_t>(e)])] = midpoint(
                places_[static_cast<size_t>(level.edges(e, 0))], places_[static_cast<size_t>(level.edges(e, 1))]);
        places_ = std::move(finer);
    }
}

// Both ends of an edge lie on one coarse triangle, so no more than three corners come together.
FlatUpsampling::Place FlatUpsampling::midpoint(const Place& a, const Place& b) {
    Place sum;
    size_t count = 0;
    for (const Place* end : {&a, &b})
        for (size_t i = 0; i < 3; ++i) {
            if (end->weights[i] == 0) continue;
            const auto own = std::find(sum.corners.begin(), sum.corners.begin() + count, end->corners[i]);
            const auto slot = static_cast<size_t>(own - sum.corners.begin());
            assert(slot < 3);
            sum.corners[slot] = end->corners[i];
            sum.weights[slot] += 0.5 * end->weights[i];
            count = std::max(count, slot + 1);
        }
    return sum;
}

void FlatUpsampling::apply(const Positions& coarse, Positions& fine) const {
    fine.resize(static_cast<long>(places_.size()), 3);
    parallel_for(fine.rows(), [&](long v) {
        const auto& [corners, weights] = places_[static_cast<size_t>(v)];
        fine.row(v) = weights[0] * coarse.row(corners[0]) + weights[1] * coarse.row(corners[1]) +
                      weights[2] * coarse.row(corners[2]);
    });
}

std::vector<std::array<int, 3>> FlatUpsampling::corners_around(const Triangles& fine) const {
    std::map<int, int> fine_vertices;  // of the coarse ones
    for (size_t v = 0; v < places_.size(); ++v)
        for (size_t i = 0; i < 3; ++i)
            if (places_[v].weights[i] == 1) fine_vertices[places_[v].corners[i]] = static_cast<int>(v);
    std::vector<std::array<int, 3>> around;
    for (const auto& triangle : fine.rowwise()) {
        std::set<int> corners;
        for (const int v : triangle)
            for (size_t i = 0; i < 3; ++i)
                if (places_[static_cast<size_t>(v)].weights[i] != 0)
                    corners.insert(fine_vertices.at(places_[static_cast<size_t>(v)].corners[i]));
        assert(corners.size() == 3);
        auto& three = around.emplace_back();
        std::copy(corners.begin(), corners.end(), three.begin());
    }
    return around;
}

}  // namespace tulle::geometry
