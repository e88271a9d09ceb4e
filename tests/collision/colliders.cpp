// SPDX-License-Identifier: Apache-2.0
#include "tests/collision/fixtures.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace tulle::collision {

namespace {

// A single vertex under gravity. The pass needs no triangles for colliders.
struct Particle {
    Positions position = Positions::Zero(1, 3);
    Velocities velocity = Velocities::Zero(1, 3);
    Vector3 gravity = Vector3::Zero();
    double time = 0;
    ContactPass pass;
    ContactReport report;

    explicit Particle(std::shared_ptr<const Colliders> colliders, double inverse_mass = 1)
        : pass(Positions::Zero(1, 3), Triangles(0, 3), VectorX::Constant(1, inverse_mass), std::move(colliders), {}) {}

    void step(double dt) {
        velocity.row(0) += dt * gravity;
        const Positions start = position;
        position += dt * velocity;
        report = pass.apply({start, position, velocity, time, dt});
        time += dt;
    }
};

std::shared_ptr<Colliders> incline(double angle, double friction) {
    Collider collider = collider_of(make_plane({0, 0, 0}, {std::sin(angle), 0, std::cos(angle)}));
    collider.friction = friction;
    collider.thickness = 0.01;
    return only(std::move(collider));
}

// How fast a particle slides down the incline after a second [m/s].
double speed_on_incline(double angle, double friction, double dt) {
    Particle particle(incline(angle, friction));
    particle.position.row(0) = 0.01 * Vector3(std::sin(angle), 0, std::cos(angle));
    particle.gravity = {0, 0, -9.81};
    for (int i = 0; i < std::lround(1 / dt); ++i) particle.step(dt);
    return particle.velocity.row(0).norm();
}

std::shared_ptr<Colliders> obstacle(std::unique_ptr<Shape> shape) {
    Collider collider = collider_of(std::move(shape));
    collider.thickness = 0.002;
    return only(std::move(collider));
}

}  // namespace

TEST_CASE("A vertex thrown fast at a thin plate stays on its side") {
    for (const double speed : {0.5, 3.0, 40.0, 5000.0}) {
        CAPTURE(speed);
        Particle particle(obstacle(make_box({0, 0, 0}, {2, 2, 0.001}, Matrix3::Identity())));
        particle.position.row(0) << 0.1, 0.2, 0.5;
        particle.velocity.row(0) << 0.1 * speed, 0, -speed;
        for (int i = 0; i < 5; ++i) particle.step(0.02);
        if (std::abs(particle.position(0, 0)) < 1) CHECK(particle.position(0, 2) >= 0.0005);
        CHECK(particle.velocity(0, 2) >= (speed > 6 ? 0 : -speed));
        CHECK(particle.position.allFinite());
    }
}

TEST_CASE("A vertex thrown through a sphere, a capsule or a level set in one step does not come out behind it") {
    const auto sphere = [] { return make_sphere({0, 0, 0}, 0.1); };
    std::vector<std::shared_ptr<Colliders>> obstacles;
    obstacles.push_back(obstacle(sphere()));
    obstacles.push_back(obstacle(make_capsule({-1, 0, 0}, {1, 0, 0}, 0.1)));
    obstacles.push_back(obstacle(make_mesh_shape(sphere()->to_mesh(), 0.01)));
    for (const auto& colliders : obstacles) {
        Particle particle(colliders);
        particle.position.row(0) << 0, 0.01, 1;
        particle.velocity.row(0) << 0, 0, -100;
        particle.step(0.02);
        CHECK(particle.position(0, 2) > 0);
        CHECK(particle.report.collider_contacts == 1);
        CHECK(find_deep_vertices(particle.position, *colliders, 0, 0).empty());
    }
}

TEST_CASE("A vertex that flies past a sphere is left alone") {
    Particle particle(obstacle(make_sphere({0, 0, 0}, 0.1)));
    particle.position.row(0) << 0, 0.103, 1;
    particle.velocity.row(0) << 0, 0, -100;
    particle.step(0.02);
    CHECK(particle.position(0, 2) == test::near(-1));
    CHECK(particle.report.collider_contacts == 0);
}

TEST_CASE("A vertex ends at the thickness, whatever shape it is pressed into") {
    Random random(21);
    std::vector<std::shared_ptr<Colliders>> obstacles;
    obstacles.push_back(obstacle(make_plane({0, 0, 0}, {0, 1, 1})));
    obstacles.push_back(obstacle(make_sphere({0, 0, 0}, 0.3)));
    obstacles.push_back(obstacle(make_capsule({-0.3, 0, 0}, {0.3, 0, 0}, 0.2)));
    obstacles.push_back(obstacle(make_box({0, 0, 0}, {0.5, 0.3, 0.6}, Matrix3::Identity())));
    for (const auto& colliders : obstacles) {
        for (int trial = 0; trial < 300; ++trial) {
            Particle particle(colliders);
            const Vector3 start = random_point(random, 0.6);
            if (colliders->front().shape->distance(start) < 0.002) continue;
            particle.position.row(0) = start;
            particle.velocity.row(0) = random_point(random, 60);
            particle.step(0.01);
            CHECK(colliders->front().shape->distance(particle.position.row(0)) >= 0.002 - 1e-8);
        }
    }
}

TEST_CASE("A moving plate carries a resting vertex and pushes one in its way") {
    Collider plate = collider_of(make_box({0, 0, -0.05}, {1, 1, 0.1}, Matrix3::Identity()));
    plate.thickness = 0.01;
    plate.friction = 1;
    plate.motion.keyframes = {{.time = 0}, {.time = 1, .translation = {0.5, 0, 2}}};
    Particle particle(only(std::move(plate)));
    particle.position.row(0) << 0, 0, 0.01;
    particle.gravity = {0, 0, -9.81};
    for (int i = 0; i < 50; ++i) particle.step(0.02);
    CHECK(particle.position(0, 2) == test::near(2.01));
    CHECK(particle.position(0, 0) == test::near(0.5).epsilon(0.05));
    CHECK(particle.velocity(0, 2) == test::near(2));
    CHECK(particle.velocity(0, 0) == test::near(0.5));
}

TEST_CASE("A thin paddle that swings fast does not pass through a vertex") {
    Collider paddle = collider_of(make_box({0.5, 0, 0}, {1, 0.002, 1}, Matrix3::Identity()));
    paddle.thickness = 0.005;
    paddle.motion.keyframes = {{.time = 0, .translation = {0, 0, 0}, .angle = 0},
                               {.time = 0.1, .translation = {0, 0, 0}, .angle = std::numbers::pi / 2}};
    Particle particle(only(std::move(paddle)));
    particle.position.row(0) << 0.5, 0.3, 0;
    for (int i = 0; i < 5; ++i) particle.step(0.02);
    // The paddle now stands in the y–z plane; the vertex was on the side that is now at negative x.
    CHECK(particle.position(0, 0) <= -0.005);
}

TEST_CASE("A bouncing vertex comes back to the square of its restitution times the height") {
    for (const double restitution : {0.0, 0.5, 0.8, 1.0}) {
        CAPTURE(restitution);
        Collider floor = collider_of(make_plane({0, 0, 0}, {0, 0, 1}));
        floor.restitution = restitution;
        Particle particle(only(std::move(floor)));
        particle.position.row(0) << 0, 0, 1.005;
        particle.gravity = {0, 0, -9.81};
        bool landed = false;
        double height = 0;
        for (int i = 0; i < 20000; ++i) {
            particle.step(1e-4);
            if (landed && particle.report.collider_contacts > 0 && restitution > 0) break;
            landed |= particle.report.collider_contacts > 0;
            if (landed) height = std::max(height, particle.position(0, 2) - 0.005);
        }
        CHECK(std::abs(height - restitution * restitution) < 0.01);
    }
}

TEST_CASE("A vertex with restitution comes to rest without jitter") {
    Collider floor = collider_of(make_plane({0, 0, 0}, {0, 0, 1}));
    floor.restitution = 0.7;
    Particle particle(only(std::move(floor)));
    particle.position.row(0) << 0, 0, 0.2;
    particle.gravity = {0, 0, -9.81};
    for (int i = 0; i < 400; ++i) particle.step(0.01);
    CHECK(particle.velocity.row(0).norm() == 0);
    CHECK(particle.position(0, 2) == test::near(0.005));
}

TEST_CASE("Friction holds a vertex on an incline below its cone") {
    for (const double angle : {0.1, 0.3, 0.6}) CHECK(speed_on_incline(angle, std::tan(angle) * 1.01, 0.01) < 1e-12);
}

TEST_CASE("Above the friction cone a vertex slides with g (sin − μ cos)") {
    for (const double dt : {0.02, 0.001})
        for (const double angle : {0.3, 0.6, 1.0})
            for (const double friction : {0.0, 0.1, 0.25})
                CHECK(speed_on_incline(angle, friction, dt) ==
                      test::near(9.81 * (std::sin(angle) - friction * std::cos(angle))).epsilon(1e-6));
}

TEST_CASE("Friction holds or lets go of a whole sheet as it does of a vertex") {
    constexpr double angle = 0.4, dt = 0.002;
    const Eigen::AngleAxisd turn(angle, Vector3::UnitY());
    for (const double friction : {0.5, 0.3}) {
        CAPTURE(friction);
        SpringSheet sheet(flat_sheet(6, 6, 0.05, Vector3(0, 0, 0.01)));
        for (long v = 0; v < sheet.positions.rows(); ++v)
            sheet.positions.row(v) = turn * Vector3(sheet.positions.row(v));
        const Positions before = sheet.positions;
        sheet.gravity = {0, 0, -9.81};
        ContactPass pass = sheet.make_pass(incline(angle, friction), {});
        for (int i = 0; i < 500; ++i) sheet.step(pass, dt);
        const double slide = (sheet.positions - before).rowwise().norm().mean();
        const double expected = 0.5 * 9.81 * std::max(0.0, std::sin(angle) - friction * std::cos(angle));
        CHECK(std::abs(slide - expected) < 0.01 * 0.5 * 9.81 * std::sin(angle));
    }
}

TEST_CASE("Contact drag slows a sliding vertex at its rate") {
    Collider floor = collider_of(make_plane({0, 0, 0}, {0, 0, 1}));
    floor.contact_drag = 2;
    Particle particle(only(std::move(floor)));
    particle.position.row(0) << 0, 0, 0.005;
    particle.velocity.row(0) << 1, 0, 0;
    particle.gravity = {0, 0, -9.81};
    for (int i = 0; i < 100; ++i) particle.step(0.01);
    CHECK(particle.velocity(0, 0) == test::near(std::exp(-2.0)));
}

TEST_CASE("Contact by velocity lets a vertex in, stops it there and slows its sliding; leaving is free") {
    Collider floor = collider_of(make_plane({0, 0, 0}, {0, 0, 1}));
    floor.law = ContactLaw::Velocity;
    floor.contact_drag = 2;
    Particle particle(only(std::move(floor)));
    particle.position.row(0) << 0, 0, 0.005;
    particle.velocity.row(0) << 1, 0, -1;
    particle.step(0.01);
    CHECK(particle.position(0, 2) == test::near(-0.005));  // it began the step outside
    CHECK(particle.velocity(0, 0) == 1);
    particle.step(0.01);
    CHECK(std::abs(particle.velocity(0, 2)) < 1e-12);
    CHECK(particle.velocity(0, 0) == test::near(std::exp(-2.0 * 0.01)));
    CHECK(particle.position(0, 2) == test::near(-0.005));
    CHECK(particle.position(0, 0) == test::near(0.01 + 0.01 * std::exp(-2.0 * 0.01)));
    particle.velocity.row(0) << 1, 0, 0.2;
    particle.step(0.01);
    CHECK(particle.velocity(0, 0) == 1);
    CHECK(particle.position(0, 2) == test::near(-0.003));
}

TEST_CASE("A vertex in the wedge between a floor and a sphere ends outside both") {
    auto colliders = std::make_shared<Colliders>();
    colliders->push_back(collider_of(make_plane({0, 0, 0}, {0, 0, 1})));
    colliders->push_back(collider_of(make_sphere({0, 0, 0.3}, 0.3)));
    Particle particle(colliders);
    particle.position.row(0) << 0.5, 0, 0.02;
    particle.velocity.row(0) << -10, 0, -1;
    for (int i = 0; i < 10; ++i) {
        particle.velocity(0, 0) = -10;
        particle.step(0.02);
        CHECK(find_deep_vertices(particle.position, *colliders, 0, 0).empty());
        CHECK((*colliders)[0].shape->distance(particle.position.row(0)) > 0.004);
        CHECK((*colliders)[1].shape->distance(particle.position.row(0)) > 0.004);
    }
}

TEST_CASE("A pinned vertex is never moved") {
    Particle particle(obstacle(make_sphere({0, 0, 0}, 0.5)), /*inverse_mass=*/0);
    particle.velocity.row(0) << 1, 2, 3;
    particle.step(0.1);
    CHECK(Vector3(particle.position.row(0)).isApprox(Vector3(0.1, 0.2, 0.3)));
    CHECK(Vector3(particle.velocity.row(0)) == Vector3(1, 2, 3));
    CHECK(particle.report.collider_contacts == 0);
}

}  // namespace tulle::collision
