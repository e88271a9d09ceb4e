// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/candidate_list.h"

#include "tests/collision/fixtures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace tulle::collision {

namespace {

constexpr double thickness = 0.004;

// Every pair that comes within the thickness at one of a few moments of the motion.
std::set<std::uint64_t> pairs_that_come_near(const ClothParts& parts, const Positions& start, const Positions& end) {
    std::set<std::uint64_t> near;
    const auto consider = [&](const PartPair& pair) {
        const std::array<int, 4> v = parts.vertices(pair);
        if (std::set<int>(v.begin(), v.end()).size() < 4) return;
        const FourPoints from = gather(v, start), to = gather(v, end);
        for (const double time : {0.0, 0.3, 0.7, 1.0}) {
            FourPoints now;
            for (size_t i = 0; i < 4; ++i) now[i] = from[i] + time * (to[i] - from[i]);
            if (separation(pair.kind, now).distance() < thickness) near.insert(pair.key());
        }
    };
    for (int v = 0; v < static_cast<int>(start.rows()); ++v)
        for (int t = 0; t < static_cast<int>(parts.triangles.rows()); ++t) consider({PairKind::VertexTriangle, v, t});
    for (int a = 0; a < static_cast<int>(parts.edges.rows()); ++a)
        for (int b = a + 1; b < static_cast<int>(parts.edges.rows()); ++b) consider({PairKind::EdgeEdge, a, b});
    return near;
}

// A strip rolled up so that its turns come close, swung about an axis and shaken.
Positions rolled(const Positions& rest, double time) {
    Positions places(rest.rows(), 3);
    for (long v = 0; v < rest.rows(); ++v) {
        const double s = rest(v, 0);
        const double radius = 0.03 + 0.012 * s * (1 + 0.3 * std::sin(3 * time));
        const double angle = s / 0.03 + 2 * time;
        places.row(v) << radius * std::cos(angle) + 3 * time, rest(v, 1), radius * std::sin(angle) - 5 * time * time;
    }
    return places;
}

}  // namespace

TEST_CASE("A candidate list, new or kept, holds every pair that comes within the thickness") {
    const SpringSheet strip(flat_sheet(4, 30, 0.02, Vector3::Zero()));
    const ClothParts parts{.triangles = strip.mesh.triangles,
                           .edges = strip.edges,
                           .inverse_masses = strip.inverse_masses,
                           .rest_positions = strip.mesh.positions};
    for (const double dt : {0.0005, 0.02}) {
        CAPTURE(dt);
        CandidateList list(parts, thickness);
        size_t seen = 0;
        constexpr int steps = 40;
        for (int i = 0; i < steps; ++i) {
            const Positions start = rolled(strip.mesh.positions, i * dt);
            const Positions end = rolled(strip.mesh.positions, (i + 1) * dt);
            list.cover(start, end);
            std::set<std::uint64_t> listed;
            for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge})
                for (const Candidate& candidate : list.of(kind)) {
                    CHECK(candidate.vertices == parts.vertices(candidate.pair));
                    if (list.may_come_within(thickness, candidate)) listed.insert(candidate.pair.key());
                }
            for (const std::uint64_t key : pairs_that_come_near(parts, start, end)) {
                REQUIRE(listed.contains(key));
                ++seen;
            }
        }
        CHECK(seen > 1000);
        if (dt < 0.001) CHECK(list.times_built() < steps / 3);
    }
}

}  // namespace tulle::collision
