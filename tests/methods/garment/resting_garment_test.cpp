// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/resting_garment.h"

#include "tests/support/cloths.h"
#include "tulle/collision/intersections.h"
#include "tulle/collision/shape.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::methods;

namespace {

// A sheet above a ball, or above a box whose top is a plane.
struct Laid {
    physics::ClothModel model;
    geometry::TriangleMesh body;
    collision::ClosedTopology topology;

    Laid(std::unique_ptr<collision::Shape> shape, double height, int rows = 17)
        : model(test::grid_cloth(
              {.rows = rows, .columns = rows, .spacing = 0.02, .mass = 6e-5, .stretch = 300, .bend = 0})),
          body(shape->to_mesh()),
          topology(body) {
        model.start_positions.rowwise() -= Eigen::RowVector3d(0.01 * (rows - 1), 0.01 * (rows - 1), -height);
    }
    RestingGarment garment(const RestingGarmentSettings& settings = {}) const {
        return {model, topology, model.start_positions, body.positions, settings};
    }
};

Laid on_ball() { return {collision::make_sphere({0, 0, 0}, 0.1), 0.112}; }
Laid on_box() { return {collision::make_box({0, 0, -0.05}, {0.5, 0.5, 0.1}, Matrix3::Identity()), 0.012}; }

void settle(RestingGarment& garment, int steps) {
    for (int i = 0; i < steps; ++i) garment.step();
}

}  // namespace

TEST_CASE("The stiffness of a soft wall is the derivative of its force, also where it is straight") {
    const SoftWall wall{.weight = 4e-4, .softness = 6e-4};
    CHECK(wall.force(0) == 0);
    CHECK(wall.force(-0.01) == 0);
    for (const double depth : {1e-5, 3e-4, 2e-3, 7e-3, 9e-3, 0.02}) {
        constexpr double h = 1e-9;
        const double slope = (wall.force(depth + h) - wall.force(depth - h)) / (2 * h);
        CHECK(wall.stiffness(depth) == doctest::Approx(slope).epsilon(1e-4));
    }
}

TEST_CASE("A body pushes straight out of itself, and friction holds a vertex back by at most its coefficient") {
    const Laid laid = on_box();
    const VectorX weights = VectorX::Constant(1, 1e-3);
    const BodyPressureSettings settings{.friction = 0.4};
    BodyPressure pressure(laid.topology, weights, settings);
    Positions point(1, 3);
    point << 0.03, 0.02, 0.005;
    (void)pressure.move_body(point, laid.body.positions);
    const SoftWall wall{1e-3, settings.softness};
    const double normal = wall.force(settings.distance - 0.005);
    CHECK((pressure.push(0, point).force - Vector3(0, 0, normal)).norm() < 1e-12 * normal);
    for (const double way : {1e-4, 4e-4, 0.003, 0.05}) {  // it slips, and drags the place where it is held along
        point(0, 0) = 0.03 + way;
        pressure.look(point);
        const Vector3 force = pressure.push(0, point).force;
        const double expected = settings.friction * normal * std::min(1.0, way / settings.slip);
        CHECK(force.x() == doctest::Approx(-expected).epsilon(1e-6));
        CHECK(std::abs(force.y()) < 1e-9 * normal);
    }
    point(0, 2) = 0.02;  // out of reach
    pressure.look(point);
    CHECK(pressure.push(0, point).force.norm() == 0);
}

TEST_CASE("The stiffness of a body's push is minus the derivative of its force while the place that holds stays") {
    const Laid laid = on_ball();
    BodyPressure pressure(laid.topology, VectorX::Constant(1, 1e-3), {});
    Positions point(1, 3);
    point << 0.02, 0.03, std::sqrt(0.104 * 0.104 - 0.0013);
    (void)pressure.move_body(point, laid.body.positions);
    const Push push = pressure.push(0, point);
    for (int axis = 0; axis < 3; ++axis) {
        constexpr double h = 1e-8;  // [m]
        Positions ahead = point, behind = point;
        ahead(0, axis) += h;
        behind(0, axis) -= h;
        const Vector3 slope = (pressure.push(0, ahead).force - pressure.push(0, behind).force) / (2 * h);
        // Friction grows with the pressure too, which the matrix leaves out to stay symmetric: nothing here, at the
        // very place that holds.
        CHECK((slope + push.stiffness.col(axis)).norm() < 1e-5 * push.stiffness.norm());
    }
}

TEST_CASE("A sheet laid over a ball comes to rest: outside, unstretched, without crossings") {
    const Laid laid = on_ball();
    RestingGarment garment = laid.garment();
    settle(garment, 600);
    CHECK(garment.mean_speed() < 1e-4);
    CHECK(garment.positions().rowwise().norm().minCoeff() > 0.1);
    CHECK(collision::find_crossings(garment.positions(), laid.model.mesh.triangles).empty());
    CHECK(collision::find_cuts(garment.positions(), laid.model.mesh.triangles, laid.body).empty());
    for (long e = 0; e < laid.model.springs.count(); ++e) {
        const auto& ends = laid.model.springs.edges;
        const double length = (garment.positions().row(ends(e, 0)) - garment.positions().row(ends(e, 1))).norm();
        CHECK(length < 1.05 * laid.model.springs.rest_lengths(e));
    }
    const Positions before = garment.positions();
    settle(garment, 100);
    CHECK((garment.positions() - before).rowwise().norm().mean() < 1e-4);
}

TEST_CASE("A sheet that bends harder does not hang down a ball's sides, and softened it rests where a soft one does") {
    Laid laid = on_ball();
    laid.model.hinges = physics::quadratic_hinges(laid.model.mesh, 1e-6);
    RestingGarment soft = laid.garment(), hard = laid.garment();
    hard.stiffen(1e4);
    settle(soft, 600);
    settle(hard, 600);
    const auto lowest = [](const RestingGarment& garment) { return garment.positions().col(2).minCoeff(); };
    CHECK(lowest(hard) > lowest(soft) + 0.01);
    for (int i = 1; i <= 100; ++i) {
        hard.stiffen(std::pow(1e4, 1 - i / 100.0));
        hard.step();
    }
    hard.take_steps_of(0.05);
    settle(hard, 300);
    CHECK(hard.mean_speed() < 1e-4);
    CHECK(lowest(hard) == doctest::Approx(lowest(soft)).epsilon(0.02));
}

TEST_CASE("What lies on a body goes with it, and what is pulled harder than friction holds slips") {
    const Laid laid = on_box();
    for (const double friction : {0.6, 0.05}) {
        RestingGarmentSettings settings;
        settings.body.friction = friction;
        // Gravity that leans by 20°, as on a slope: tan 20° is 0.36.
        constexpr double lean = 0.349;
        settings.gravity = 9.81 * Vector3(std::sin(lean), 0, -std::cos(lean));
        RestingGarment garment = laid.garment(settings);
        settle(garment, 60);
        const Vector3 start = garment.positions().colwise().mean();
        settle(garment, 60);
        const Vector3 slipped = Vector3(garment.positions().colwise().mean()) - start;
        if (friction > 0.36)
            CHECK(slipped.norm() < 1e-3);
        else
            CHECK(slipped.x() > 0.02);
    }
    RestingGarment garment = laid.garment();
    settle(garment, 60);
    const Vector3 start = garment.positions().colwise().mean();
    Positions body = laid.body.positions;
    for (int i = 0; i < 50; ++i) {
        body.rowwise() += Eigen::RowVector3d(0.002, 0, 0.001);
        garment.step(body);
    }
    settle(garment, 30);
    const Vector3 moved = Vector3(garment.positions().colwise().mean()) - start;
    CHECK((moved - Vector3(0.1, 0, 0.05)).norm() < 0.002);
}

TEST_CASE("A garment comes to the same rest on one thread and on two") {
    const Laid laid = on_ball();
    const auto rest_on = [&](int threads) {
        const ThreadCountScope scope(threads);
        RestingGarment garment = laid.garment();
        settle(garment, 40);
        return garment.positions();
    };
    CHECK(rest_on(1) == rest_on(2));
}
