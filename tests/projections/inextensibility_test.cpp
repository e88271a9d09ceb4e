// SPDX-License-Identifier: Apache-2.0
#include "tests/projections/support.h"
#include "tests/support/error_of.h"
#include "tulle/core/parallel.h"

#include <limits>

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

const Deformation noisy = {.shrink = 0.97, .waves = 0.005, .noise = 0.08};

}  // namespace

TEST_CASE("No edge is longer than its limit after inextensibility, on any of many noisy frames") {
    const Tube tube = make_tube(24, 14);
    const Cloth cloth = tube_cloth(tube);
    const Inextensibility projection(cloth, {.stretch = 0.01});
    Projected previous;
    for (int frame = 0; frame < 60; ++frame) {
        Deformation deformation = noisy;
        deformation.phase = 0.05 * frame;
        const Positions positions = deform(tube, deformation, static_cast<std::uint64_t>(frame));
        REQUIRE(stretch_of(cloth, positions).largest > 1.1);
        Projected projected = projection.apply(positions, {.previous = frame > 0 ? &previous : nullptr});
        CHECK(projected.report.solved);
        CHECK(projected.report.gap <= 1e-6);
        CHECK(stretch_of(cloth, projected.positions).largest <= 1.01 + 1e-6);
        previous = std::move(projected);
    }
}

TEST_CASE("Positions within the limits come back with the same bits") {
    const Tube tube = make_tube(24, 14);
    const Inextensibility projection(tube_cloth(tube));
    const Positions crumpled = deform(tube, {.shrink = 0.8, .waves = 0.002});
    REQUIRE(stretch_of(tube_cloth(tube), crumpled).largest < 1.01);
    CHECK(projection.apply(crumpled).positions == crumpled);
    CHECK(projection.apply(tube.positions).positions == tube.positions);
}

TEST_CASE("Two points that are too far apart meet their limit, the lighter one moving more") {
    Cloth cloth{Positions::Zero(3, 3), Triangles::Zero(1, 3), VectorX::Ones(3), {}};
    cloth.rest_positions << 0, 0, 0, 1, 0, 0, 0.5, 2, 0;
    cloth.triangles << 0, 1, 2;
    cloth.masses << 1, 3, 1;
    Positions positions = cloth.rest_positions;
    positions.row(1) << 2, 0, 0;
    positions.row(2) << 1, 0, 0;  // within its limits wherever the others go
    Positions expected = positions;
    expected(0, 0) = 0.75;
    expected(1, 0) = 1.75;
    const Projected projected = Inextensibility(cloth, {.stretch = 0, .tolerance = 1e-10}).apply(positions);
    CHECK(distance(projected.positions, expected) < 1e-8);
}

TEST_CASE("Inextensibility commutes with rigid motion, and doubled lengths double the answer") {
    const Tube tube = make_tube(16, 10);
    const Positions positions = deform(tube, noisy);
    const Inextensibility projection(tube_cloth(tube), {.tolerance = 1e-9});
    const Positions answer = projection.apply(positions).positions;
    CHECK(distance(projection.apply(moved(some_motion(), positions)).positions, moved(some_motion(), answer)) < 1e-9);
    Cloth doubled = tube_cloth(tube);
    doubled.rest_positions *= 2;
    CHECK(Inextensibility(doubled, {.tolerance = 1e-9}).apply(2 * positions).positions == 2 * answer);
    Cloth in_millimetres = tube_cloth(tube);
    in_millimetres.rest_positions *= 1000;
    CHECK(distance(Inextensibility(in_millimetres, {.tolerance = 1e-9}).apply(1000 * positions).positions,
                   1000 * answer) < 1e-6);
}

TEST_CASE("Inextensibility has the same bits on 1, 2, 3 and 8 threads") {
    const Tube tube = make_tube(110, 50);  // large enough to be shared among threads
    const Positions positions = deform(tube, noisy);
    const Inextensibility projection(tube_cloth(tube), {.max_iterations = 120});
    const int before = thread_count();
    std::vector<Projected> all;
    std::vector<Positions> gradients;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        all.push_back(projection.apply(positions));
        gradients.push_back(projection.adjoint(all.back(), positions).positions);
    }
    set_thread_count(before);
    for (size_t i = 1; i < all.size(); ++i) {
        CHECK(all[i].positions == all[0].positions);
        CHECK(gradients[i] == gradients[0]);
    }
}

TEST_CASE("A warm start gives the same answer in fewer iterations") {
    const Tube tube = make_tube(24, 14);
    const Inextensibility projection(tube_cloth(tube));
    const Projected before = projection.apply(deform(tube, noisy));
    Positions next = deform(tube, noisy);
    next.col(2).array() += 1e-4 * (20 * next.col(0).array()).sin();
    const Projected cold = projection.apply(next), warm = projection.apply(next, {.previous = &before});
    CHECK(distance(cold.positions, warm.positions) < 1e-5);
    CHECK(warm.report.iterations < cold.report.iterations);
}

TEST_CASE("Fixed vertices stay where they are and the others give way") {
    const Cloth cloth = flat_cloth(6, 9, {0, 8});
    Positions positions = cloth.rest_positions;
    for (long v = 0; v < positions.rows(); ++v) positions(v, 1) *= 1.4;
    const Projected projected = Inextensibility(cloth).apply(positions);
    CHECK(projected.report.solved);
    for (const int v : {0, 8}) CHECK(projected.positions.row(v) == positions.row(v));
    CHECK(stretch_of(cloth, projected.positions).largest <= 1.01 + 1e-6);
}

TEST_CASE("Pins that are too far apart raise the limits by no more than they must") {
    const Cloth cloth = flat_cloth(6, 9, {0, 9, 18, 27, 36, 45, 8, 17, 26, 35, 44, 53});
    Positions positions = cloth.rest_positions;
    positions.col(0) *= 2;
    positions += random_rows(positions.rows(), 0.02, 3);
    for (const int v : cloth.fixed)
        positions.row(v) = cloth.rest_positions.row(v).cwiseProduct(Eigen::RowVector3d(2, 1, 1));
    const Projected projected = Inextensibility(cloth).apply(positions);
    CHECK(projected.report.solved);
    CHECK(projected.report.pin_stretch == doctest::Approx(2 / 1.01 * 1.0025));
    for (const int v : cloth.fixed) CHECK(projected.positions.row(v) == positions.row(v));
    CHECK(stretch_of(cloth, projected.positions).largest <= 2.02 + 1e-5);
}

TEST_CASE("Planes of a body hold") {
    const Cloth cloth = flat_cloth(8, 8);
    Positions positions = cloth.rest_positions;
    positions.leftCols(2) *= 1.3;
    positions.col(2).setConstant(0.02);
    positions(27, 2) = 0.3;  // a tent, which the limits pull down
    std::vector<ContactPlane> planes;
    for (int v = 0; v < positions.rows(); ++v) planes.push_back({v, Vector3::UnitZ(), 0.03});
    const Projected projected = Inextensibility(cloth).apply(positions, {.planes = planes});
    CHECK(projected.report.solved);
    CHECK(projected.positions.col(2).minCoeff() >= 0.03 - 1e-6);
    CHECK(stretch_of(cloth, projected.positions).largest <= 1.01 + 1e-6);
}

TEST_CASE("With a limit on compression no edge is shorter than it either") {
    const Tube tube = make_tube(16, 10);
    const Cloth cloth = tube_cloth(tube);
    const Positions positions = deform(tube, {.shrink = 0.98, .noise = 0.05});
    REQUIRE(stretch_of(cloth, positions).smallest < 0.9);
    const Projected projected = Inextensibility(cloth, {.stretch = 0.02, .compression = 0.05}).apply(positions);
    CHECK(projected.report.solved);
    CHECK(stretch_of(cloth, projected.positions).largest <= 1.02 + 1e-6);
    CHECK(stretch_of(cloth, projected.positions).smallest >= 0.95 - 1e-5);
}

TEST_CASE("What cannot be reached is reported, and the numbers stay finite") {
    const Tube tube = make_tube(16, 10);
    const Inextensibility projection(tube_cloth(tube), {.max_iterations = 20});
    const Projected projected = projection.apply(deform(tube, noisy));
    CHECK_FALSE(projected.report.solved);
    CHECK(tulle::test::contains(projected.report.problem, "20 iterations"));
    CHECK(projected.positions.allFinite());
}

TEST_CASE("Unsound cloths, settings and positions are refused in a sentence") {
    using tulle::test::error_of;
    const Tube tube = make_tube(8, 4);
    Cloth cloth = tube_cloth(tube);
    const Inextensibility projection(cloth);
    Positions broken = tube.positions;
    broken(5, 1) = std::numeric_limits<double>::quiet_NaN();
    CHECK(error_of([&] { (void)projection.apply(broken); }).find("vertex 5") == 0);
    CHECK(error_of([&] { (void)projection.apply(Positions::Zero(3, 3)); }) == "3 positions for a cloth of 32 vertices");
    CHECK(error_of([&] { Inextensibility(cloth, {.stretch = -1}); }).find("must not be negative") != std::string::npos);
    CHECK(error_of([&] { Inextensibility(cloth, {.compression = 2.0}); }).find("from 0 to 1") != std::string::npos);
    cloth.masses(3) = -1;
    CHECK(error_of([&] { Inextensibility{cloth}; }).find("the mass of vertex 3") == 0);
    cloth.masses(3) = 1;
    cloth.fixed = {40};
    CHECK(error_of([&] { Inextensibility{cloth}; }).find("vertex 40 cannot be fixed") == 0);
    cloth.fixed = {};
    cloth.triangles(0, 0) = 99;
    CHECK(error_of([&] { Inextensibility{cloth}; }).find("a triangle refers to a vertex") == 0);
}
