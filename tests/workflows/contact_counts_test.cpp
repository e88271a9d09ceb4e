// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/contact_counts.h"

#include "tests/support/cloths.h"

#include <doctest/doctest.h>

#include <vector>

namespace tulle::workflows {

namespace {

// 11×11 vertices, 1 m wide, in the plane z = 0.
geometry::TriangleMesh sheet() { return test::grid_cloth({.rows = 11, .columns = 11, .spacing = 0.1}).mesh; }

// Its far half is folded back over the near one and hangs through it, so that the last column is below the sheet.
Positions folded_through() {
    Positions folded = sheet().positions;
    for (long v = 0; v < folded.rows(); ++v) {
        const double beyond = folded(v, 0) - 0.55;
        if (beyond > 0) folded.row(v) << 0.55 - beyond, folded(v, 1) + 0.03, 0.2 - 0.5 * beyond;
    }
    return folded;
}

collision::Colliders ball(double radius) {
    collision::Colliders colliders(1);
    colliders.front().name = "ball";
    colliders.front().shape = collision::make_sphere({0.5, 0.5, 0}, radius);
    return colliders;
}

ContactCounts counts_of(const Positions& positions, const collision::Colliders& colliders = {}) {
    ContactCounter counter(sheet().triangles, colliders);
    counter.add(std::vector{positions}, 0, 0.04);
    return counter.counts();
}

}  // namespace

TEST_CASE("A flat sheet does not intersect itself, and one folded through itself does along the whole fold line") {
    CHECK(counts_of(sheet().positions).intersections == 0);
    CHECK(counts_of(sheet().positions).intersecting_frames == 0);
    const ContactCounts folded = counts_of(folded_through());
    // Ten of the eleven lines of edges that hang down go through the sheet: the last is beyond its border.
    CHECK(folded.intersections >= 10);
    CHECK(folded.intersecting_frames == 1);
    CHECK(folded.penetrations == 0);
}

TEST_CASE("A ball in the plane of a sheet has the vertices within its radius inside") {
    // Of a square lattice of 0.1 m, 5 points are within 0.12 m of one of them, and 9 within 0.15 m.
    CHECK(counts_of(sheet().positions, ball(0.12)).penetrations == 5);
    CHECK(counts_of(sheet().positions, ball(0.15)).penetrations == 9);
    CHECK(counts_of(sheet().positions, ball(0.15)).penetrating_frames == 1);
}

TEST_CASE("A ball between the vertices of a sheet cuts faces though no vertex is inside") {
    collision::Colliders colliders = ball(0.02);
    colliders.front().shape = collision::make_sphere({0.53, 0.56, 0.003}, 0.02);
    const ContactCounts found = counts_of(sheet().positions, colliders);
    CHECK(found.penetrations == 0);
    CHECK(found.penetrating_faces == 1);
    CHECK(found.penetrating_frames == 1);
}

TEST_CASE("A vertex that is not deep enough to be seen is not counted") {
    Positions resting = sheet().positions;
    resting.col(2).array() += 0.15 - 0.5 * seen_depth;
    CHECK(counts_of(resting, ball(0.15)).penetrations == 0);
    resting.col(2).array() -= seen_depth;
    CHECK(counts_of(resting, ball(0.15)).penetrations == 1);
}

TEST_CASE("A ball that moves is where it is in each frame") {
    collision::Colliders colliders = ball(0.12);
    colliders.front().motion.keyframes = {{.time = 0, .translation = {0, 0, 1}}, {.time = 1, .translation = {0, 0, 0}}};
    ContactCounter counter(sheet().triangles, colliders);
    counter.add(std::vector<Positions>(3, sheet().positions), 0, 0.5);
    CHECK(counter.counts().penetrations == 5);
    CHECK(counter.counts().penetrating_frames == 1);
    counter.add(std::vector<Positions>(2, sheet().positions), 1, 0.5);
    CHECK(counter.counts().penetrating_frames == 3);
}

}  // namespace tulle::workflows
