// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/intersections.h"
#include "tests/support/near.h"

#include "tests/collision/fixtures.h"

#include <doctest/doctest.h>

namespace tulle::collision {

TEST_CASE("The quick search for crossings finds exactly those of the reference") {
    Random random(51);
    for (const double noise : {0.0, 0.03, 0.1, 0.3}) {
        geometry::TriangleMesh sheet = flat_sheet(9, 11, 0.02, Vector3::Zero());
        for (long v = 0; v < sheet.positions.rows(); ++v)
            sheet.positions.row(v) += random_point(random, noise).transpose();
        const auto quick = find_crossings(sheet.positions, sheet.triangles);
        CHECK(quick == find_crossings_reference(sheet.positions, sheet.triangles));
        CHECK(quick.empty() == (noise == 0));
    }
}

TEST_CASE("An edge through a triangle is found, one beside it or at its tip is not") {
    Triangles triangles(2, 3);
    triangles << 0, 1, 2, 3, 4, 5;
    Positions positions(6, 3);
    positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -0.5, 0.2, 0.2, 0.5, 5, 5, 0.5;
    CHECK(find_crossings(positions, triangles) == std::vector<Crossing>{{{1, 2}, 1}, {{3, 4}, 0}});
    positions.bottomRows(3).col(0).array() += 1;
    CHECK(find_crossings(positions, triangles).empty());
    positions.bottomRows(3).col(0).array() -= 1;
    positions.bottomRows(3).col(2).array() += 0.6;
    CHECK(find_crossings(positions, triangles).empty());
}

TEST_CASE("Vertices below the surface of a collider are found where it is at the time") {
    Colliders colliders;
    colliders.push_back(collider_of(make_plane({0, 0, 0}, {0, 0, 1})));
    colliders.push_back(collider_of(make_sphere({0, 0, 0}, 0.5)));
    colliders.back().motion.keyframes = {{.time = 0}, {.time = 1, .translation = {0, 0, 3}}};
    Positions positions(3, 3);
    positions << 0, 0, 3.2, 0, 0, -0.01, 0, 0, 0.3;
    const auto deep = find_deep_vertices(positions, colliders, 1, 0.001);
    REQUIRE(deep.size() == 2);
    CHECK(deep[0].vertex == 1);
    CHECK(deep[0].collider == 0);
    CHECK(deep[0].depth == test::near(0.01));
    CHECK(deep[1].vertex == 0);
    CHECK(deep[1].collider == 1);
    CHECK(deep[1].depth == test::near(0.3));
}

}  // namespace tulle::collision
