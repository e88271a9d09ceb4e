// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/pin_reach.h"

#include "tulle/physics/incidence.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace tulle::projections {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Number of the connected part of each vertex, and how many there are.
std::pair<std::vector<int>, int> connected_parts(const Edges& edges, const physics::Incidence& around, long vertices) {
    std::vector<int> part(static_cast<size_t>(vertices), -1);
    int count = 0;
    std::vector<int> stack;
    for (int seed = 0; seed < vertices; ++seed) {
        if (part[static_cast<size_t>(seed)] >= 0) continue;
        stack.push_back(seed);
        part[static_cast<size_t>(seed)] = count;
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            for (const auto& [edge, corner] : around.around(v)) {
                const int other = edges(edge, 1 - corner);
                if (part[static_cast<size_t>(other)] >= 0) continue;
                part[static_cast<size_t>(other)] = count;
                stack.push_back(other);
            }
        }
        ++count;
    }
    return {std::move(part), count};
}

// Shortest ways from a fixed vertex through free ones [Dijkstra 1959].
std::vector<double> distances_from(int start, const Edges& edges, const VectorX& lengths,
                                   const physics::Incidence& around, const std::vector<bool>& fixed) {
    std::vector<double> distance(fixed.size(), infinity);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[static_cast<size_t>(start)] = 0;
    queue.push({0, start});
    while (!queue.empty()) {
        const auto [reached, v] = queue.top();
        queue.pop();
        if (reached > distance[static_cast<size_t>(v)]) continue;
        if (v != start && fixed[static_cast<size_t>(v)]) continue;
        for (const auto& [edge, corner] : around.around(v)) {
            const int other = edges(edge, 1 - corner);
            // An edge between two fixed vertices is as long as it is.
            if (fixed[static_cast<size_t>(v)] && fixed[static_cast<size_t>(other)]) continue;
            double& best = distance[static_cast<size_t>(other)];
            if (reached + lengths(edge) >= best) continue;
            best = reached + lengths(edge);
            queue.push({best, other});
        }
    }
    return distance;
}

}  // namespace

PinReach::PinReach(const Edges& edges, const VectorX& rest_lengths, const std::vector<bool>& fixed, int most_pins) {
    const long vertices = static_cast<long>(fixed.size());
    const physics::Incidence around(edges, static_cast<int>(vertices));
    std::vector<int> part;
    std::tie(part, parts_) = connected_parts(edges, around, vertices);
    for (long e = 0; e < edges.rows(); ++e) part_of_edge_.push_back(part[static_cast<size_t>(edges(e, 0))]);
    std::vector<std::vector<int>> pins(static_cast<size_t>(parts_));
    for (int v = 0; v < vertices; ++v)
        if (fixed[static_cast<size_t>(v)]) pins[static_cast<size_t>(part[static_cast<size_t>(v)])].push_back(v);
    for (std::vector<int>& own : pins) {
        const size_t stride =
            std::max<size_t>(1, (own.size() + static_cast<size_t>(most_pins) - 1) / static_cast<size_t>(most_pins));
        for (size_t i = 0; i < own.size(); i += stride) {
            const std::vector<double> distance = distances_from(own[i], edges, rest_lengths, around, fixed);
            for (size_t j = i + stride; j < own.size(); j += stride)
                if (const double length = distance[static_cast<size_t>(own[j])]; length > 0 && length < infinity)
                    ways_.push_back({own[i], own[j], length, part[static_cast<size_t>(own[i])]});
        }
    }
}

VectorX PinReach::needed_stretch(const Positions& positions) const {
    std::vector<double> of_part(static_cast<size_t>(parts_), 1.0);
    for (const Way& way : ways_) {
        double& needed = of_part[static_cast<size_t>(way.part)];
        needed = std::max(needed, (positions.row(way.from) - positions.row(way.to)).norm() / way.length);
    }
    VectorX stretch(static_cast<long>(part_of_edge_.size()));
    for (size_t e = 0; e < part_of_edge_.size(); ++e)
        stretch(static_cast<long>(e)) = of_part[static_cast<size_t>(part_of_edge_[e])];
    return stretch;
}

}  // namespace tulle::projections
