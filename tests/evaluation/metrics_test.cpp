// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/metrics.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tulle::evaluation {

namespace {

Positions scaled(const Positions& positions, const Vector3& factors) { return positions * factors.asDiagonal(); }

Positions turned(const Positions& positions, double degrees) {
    const Matrix3 rotation(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vector3(1, 2, 0).normalized()));
    return positions * rotation.transpose();
}

}  // namespace

TEST_CASE("Distances of 1 to 100 mm have their mean, their 95th percentile and their maximum") {
    Positions reference = Positions::Zero(50, 3);
    DistanceStatistics statistics;
    for (int frame = 0; frame < 2; ++frame) {
        Positions positions = reference;
        for (int v = 0; v < 50; ++v) positions(v, v % 3) = 1e-3 * (1 + v + 50 * frame);
        CHECK(statistics.add(positions, reference) == test::near(1e-3 * (25.5 + 50 * frame)));
    }
    const DistanceSummary summary = statistics.summary();
    CHECK(summary.mean == test::near(0.0505));
    CHECK(summary.p95 == doctest::Approx(0.095).epsilon(0.006).scale(0));
    CHECK(summary.max == test::near(0.1));
}

TEST_CASE("Distances of every size from a nanometre to a kilometre have their percentile") {
    for (const double distance : {1e-9, 3e-6, 0.02, 1.0, 1000.0}) {
        DistanceStatistics statistics;
        Positions far = Positions::Zero(20, 3);
        far.col(1).setConstant(distance);
        statistics.add(far, Positions::Zero(20, 3));
        CHECK(statistics.summary().p95 == doctest::Approx(distance).epsilon(0.006).scale(0));
    }
}

TEST_CASE("Identical shapes are no distance and no angle apart") {
    const physics::ClothModel cloth = test::grid_cloth();
    const Positions bent = cloth.mesh.positions + test::random_rows(cloth.vertex_count(), 0.01, 3);
    DistanceStatistics statistics;
    CHECK(statistics.add(bent, bent) == 0);
    CHECK(statistics.summary().p95 == 0);
    CHECK(statistics.summary().max == 0);
    CHECK(normal_angles(bent, bent, cloth.mesh.triangles).maxCoeff() == 0);
    CHECK(DistanceStatistics().summary().mean == 0);
}

TEST_CASE("The normals of a plane turned about an axis within it are off by that angle") {
    const physics::ClothModel cloth = test::grid_cloth();
    for (const double degrees : {1e-6, 1.0, 30.0, 90.0, 179.0})
        for (const double angle :
             normal_angles(turned(cloth.mesh.positions, degrees), cloth.mesh.positions, cloth.mesh.triangles))
            CHECK(angle == test::near(degrees * std::numbers::pi / 180));
}

TEST_CASE("A grid stretched along its rows has the stretch and the energies that its springs add up to") {
    const physics::ClothModel cloth = test::grid_cloth({.rows = 3, .columns = 4, .spacing = 0.05});
    const Deformation found = DeformationMeter(cloth).measure(scaled(cloth.mesh.positions, {1.1, 1, 1}));
    const double structural = 3 * 3 * 0.5 * 100 * std::pow(0.005, 2);
    const double shear = 2 * 2 * 3 * 0.5 * 100 * std::pow(0.05 * (std::sqrt(1.1 * 1.1 + 1) - std::sqrt(2)), 2);
    CHECK(found.stretch_energy == test::near(structural + shear));
    CHECK(found.bending_energy == test::near(3 * 2 * 0.5 * 5 * std::pow(0.01, 2)));
    CHECK(found.max_stretch == test::near(1.1));
    const std::vector<double>& strains = found.strains;
    REQUIRE(strains.size() == 3 * 3 + 2 * 4);
    CHECK(std::accumulate(strains.begin(), strains.end(), 0.0) == test::near(3 * 3 * 0.1));
    CHECK(*std::max_element(strains.begin(), strains.end()) == test::near(0.1));
}

TEST_CASE("A cloth at rest, wherever it is, is not stretched and has no energy") {
    const physics::ClothModel cloth = test::grid_cloth();
    const Deformation found = DeformationMeter(cloth).measure(turned(cloth.mesh.positions, 40));
    CHECK(found.stretch_energy < 1e-25);
    CHECK(found.bending_energy < 1e-25);
    CHECK(found.max_stretch == test::near(1));
}

TEST_CASE("A cloth of edge springs and hinges counts its edges as stretch and its hinges as bending") {
    physics::ClothModel cloth = test::grid_cloth();
    cloth.grid.reset();
    cloth.springs = physics::edge_springs(cloth.mesh, {.stretch = 100});
    cloth.hinges = physics::quadratic_hinges(cloth.mesh, 1e-3);
    Positions folded = cloth.mesh.positions;  // along a column of edges, which keeps their lengths
    for (long v = 0; v < folded.rows(); ++v)
        if (folded(v, 0) > 0.3) folded.row(v) = Vector3(0.3, folded(v, 1), folded(v, 0) - 0.3);
    const Deformation found = DeformationMeter(cloth).measure(folded);
    CHECK(found.stretch_energy < 1e-20);
    CHECK(found.bending_energy > 1e-6);
    CHECK(found.max_stretch == test::near(1));
}

TEST_CASE("The tip is farthest from what is pinned, or a corner where nothing is") {
    physics::ClothModel cloth = test::grid_cloth({.rows = 9, .columns = 13});
    CHECK(tip_of(cloth) == 0);
    test::pin(cloth, {0});
    CHECK(tip_of(cloth) == 9 * 13 - 1);
    test::pin(cloth, {8 * 13});
    CHECK(tip_of(cloth) == 4 * 13 + 12);  // between the two other corners
}

}  // namespace tulle::evaluation
