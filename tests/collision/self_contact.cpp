// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/self_contact.h"
#include "tests/support/near.h"

#include "tests/collision/fixtures.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::collision {

namespace {

constexpr SelfContactSettings thin = {.enabled = true, .thickness = 0.002, .friction = 0};

// Two sheets one above the other, turned a little so that edges meet edges.
SpringSheet two_sheets(double height) {
    geometry::TriangleMesh upper = flat_sheet(12, 12, 0.02, Vector3(0, 0, 0));
    const Eigen::AngleAxisd turn(0.4, Vector3::UnitZ());
    for (long v = 0; v < upper.positions.rows(); ++v)
        upper.positions.row(v) = turn * Vector3(upper.positions.row(v)) + Vector3(0.03, -0.02, height);
    return SpringSheet(both(flat_sheet(12, 12, 0.02, Vector3::Zero()), upper));
}

void throw_at_each_other(SpringSheet& sheets, double speed) {
    const long half = sheets.positions.rows() / 2;
    sheets.velocities.topRows(half).col(2).setConstant(speed);
    sheets.velocities.bottomRows(half).col(2).setConstant(-speed);
}

}  // namespace

TEST_CASE("Two sheets thrown at each other never cross, however fast") {
    for (const double speed : {0.3, 5.0, 60.0}) {
        CAPTURE(speed);
        SpringSheet sheets = two_sheets(0.05);
        throw_at_each_other(sheets, speed);
        ContactPass pass = sheets.make_pass(nullptr, thin);
        int contacts = 0;
        for (int i = 0; i < 60; ++i) {
            const ContactReport report = sheets.step(pass, 0.002);
            contacts += report.self_contacts;
            REQUIRE(report.unresolved == 0);
            REQUIRE(sheets.crossings() == 0);
        }
        CHECK(contacts > 0);
        CHECK(sheets.positions.allFinite());
    }
}

TEST_CASE("Two sheets thrown at each other in one step of many edge lengths do not cross") {
    SpringSheet sheets = two_sheets(0.05);
    throw_at_each_other(sheets, 10);
    ContactPass pass = sheets.make_pass(nullptr, thin);
    for (int i = 0; i < 4; ++i) {
        const ContactReport report = sheets.fly(pass, 0.02);
        CHECK(report.unresolved == 0);
        CHECK(sheets.crossings() == 0);
    }
}

TEST_CASE("Self-contact without pins keeps the momentum") {
    SpringSheet sheets = two_sheets(0.05);
    throw_at_each_other(sheets, 1);
    sheets.velocities.topRows(100).col(0).setConstant(0.7);
    const Vector3 before = sheets.momentum();
    SelfContactSettings rough = thin;
    rough.friction = 0.4;
    ContactPass pass = sheets.make_pass(nullptr, rough);
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        const ContactReport report = sheets.step(pass, 0.002);
        contacts += report.self_contacts;
        REQUIRE(report.truncated_vertices == 0);
    }
    CHECK(contacts > 100);
    CHECK((sheets.momentum() - before).norm() < 1e-12);
}

TEST_CASE("A sheet that falls on a pinned one comes to lie about the thickness above it") {
    SpringSheet sheets = two_sheets(0.02);
    sheets.inverse_masses.head(sheets.positions.rows() / 2).setZero();
    sheets.gravity = {0, 0, -9.81};
    SelfContactSettings rough = thin;
    rough.friction = 0.5;
    ContactPass pass = sheets.make_pass(nullptr, rough);
    for (int i = 0; i < 150; ++i) sheets.step(pass, 0.002);
    const long half = sheets.positions.rows() / 2;
    int over = 0;
    double height = 0;
    for (long v = half; v < 2 * half; ++v) {
        const auto place = sheets.positions.row(v);
        if (std::abs(place(0) - 0.11) > 0.07 || std::abs(place(1) - 0.11) > 0.07) continue;
        ++over;
        height += place(2);
        CHECK(place(2) > 0.0018);
    }
    CHECK(over > 30);
    CHECK(height / over < 0.003);
    CHECK(sheets.crossings() == 0);
}

TEST_CASE("A strip folded onto itself lies in two layers that do not cross") {
    SpringSheet strip = folded_strip();
    REQUIRE(strip.crossings() == 0);
    strip.gravity = {0, 0, -9.81};
    Collider floor = collider_of(make_plane({0, 0, -0.01}, {0, 0, 1}));
    floor.friction = 0.3;
    const auto colliders = only(std::move(floor));
    SelfContactSettings rough = thin;
    rough.friction = 0.3;
    ContactPass pass = strip.make_pass(colliders, rough);
    int contacts = 0;
    for (int i = 0; i < 300; ++i) {
        const ContactReport report = strip.step(pass, 0.002);
        contacts += report.self_contacts;
        REQUIRE(strip.crossings() == 0);
        REQUIRE(find_deep_vertices(strip.positions, *colliders, strip.time, 1e-6).empty());
    }
    CHECK(contacts > 100);
}

TEST_CASE("A sheet crumpled by random velocities never crosses itself") {
    for (const double dt : {0.002, 0.01}) {
        CAPTURE(dt);
        SpringSheet sheet = crumpling_sheet(20, 4, 31);
        if (dt > 0.005) sheet.stiffness = 3, sheet.damping = 0.01;
        ContactPass pass = sheet.make_pass(nullptr, thin);
        int contacts = 0;
        for (int i = 0; i < 150; ++i) {
            const ContactReport report = sheet.step(pass, dt);
            contacts += report.self_contacts;
            REQUIRE(report.unresolved == 0);
            REQUIRE(sheet.crossings() == 0);
        }
        CHECK(contacts > 1000);
    }
}

TEST_CASE("A sheet crushed by absurd random displacements never crosses itself") {
    SpringSheet sheet(flat_sheet(12, 12, 0.02, Vector3::Zero()));
    ContactPass pass = sheet.make_pass(nullptr, thin);
    Random random(32);
    for (int i = 0; i < 20; ++i) {
        for (long v = 0; v < sheet.positions.rows(); ++v) sheet.velocities.row(v) = random_point(random, 0.1);
        const ContactReport report = sheet.fly(pass, 1);
        REQUIRE(report.unresolved == 0);
        REQUIRE(sheet.crossings() == 0);
    }
}

TEST_CASE("A sheet that is crushed while it flies is crushed as one that stays, and goes as far as it flew") {
    const Vector3 flight(0.3, -0.2, 0.1);  // [m/s] in a step of a second: fifteen edges
    SpringSheet still(flat_sheet(12, 12, 0.02, Vector3::Zero()));
    Random random(33);
    int held_together = 0;
    for (int i = 0; i < 20; ++i) {
        for (long v = 0; v < still.positions.rows(); ++v) still.velocities.row(v) = random_point(random, 0.1);
        SpringSheet flying = still;
        for (long v = 0; v < flying.positions.rows(); ++v) flying.velocities.row(v) += flight.transpose();
        const Vector3 momentum = flying.momentum();
        ContactPass pass = still.make_pass(nullptr, thin), other_pass = flying.make_pass(nullptr, thin);
        const ContactReport report = still.fly(pass, 1);
        REQUIRE(flying.fly(other_pass, 1).truncated_vertices == report.truncated_vertices);
        held_together += report.truncated_vertices;
        for (long v = 0; v < still.positions.rows(); ++v)
            REQUIRE((flying.positions.row(v) - still.positions.row(v) - flight.transpose()).norm() < 1e-6);
        CHECK((flying.momentum() - momentum).norm() < 1e-9);
    }
    CHECK(held_together > 0);
}

TEST_CASE("A cloth pressed by a moving ball onto a floor crosses neither itself nor the floor") {
    SpringSheet strip = folded_strip();
    strip.gravity = {0, 0, -9.81};
    auto colliders = std::make_shared<Colliders>();
    colliders->push_back(collider_of(make_plane({0, 0, -0.01}, {0, 0, 1})));
    colliders->push_back(collider_of(make_sphere({0.2, 0.05, 0.2}, 0.1)));
    colliders->back().motion.keyframes = {{.time = 0}, {.time = 0.3, .translation = {0, 0, -0.08}}, {.time = 0.6}};
    ContactPass pass = strip.make_pass(colliders, thin);
    for (int i = 0; i < 300; ++i) {
        strip.step(pass, 0.002);
        REQUIRE(strip.crossings() == 0);
        REQUIRE(find_deep_vertices(strip.positions, *colliders, strip.time, 1e-6).empty());
    }
}

TEST_CASE("A flat cloth whose edges are shorter than the thickness is not pushed apart") {
    SpringSheet sheet(flat_sheet(10, 10, 0.004, Vector3::Zero()));
    ContactPass pass = sheet.make_pass(nullptr, {.enabled = true, .thickness = 0.01, .friction = 0});
    sheet.velocities.col(0).setConstant(1);
    const ContactReport report = sheet.fly(pass, 0.01);
    CHECK(report.self_contacts == 0);
    CHECK((sheet.positions - sheet.mesh.positions).col(0).isConstant(0.01, 1e-12));
}

TEST_CASE("Pinned vertices forced through a pinned sheet are counted and do not hang the pass") {
    SpringSheet sheets = two_sheets(0.02);
    sheets.inverse_masses.setZero();
    sheets.inverse_masses(5) = 1;
    throw_at_each_other(sheets, 10);
    sheets.velocities.row(5).setZero();
    const ContactReport report = [&] {
        ContactPass pass = sheets.make_pass(nullptr, thin);
        return sheets.fly(pass, 0.02);
    }();
    CHECK(report.unresolved > 0);
    CHECK(sheets.positions.allFinite());
}

// Edges that ride over each other cost some speed even without friction: a mesh is not smooth.
TEST_CASE("Friction between layers slows the one that slides") {
    std::vector<double> speeds;
    for (const double friction : {0.0, 0.5}) {
        CAPTURE(friction);
        SpringSheet sheets = two_sheets(0.0021);
        const long half = sheets.positions.rows() / 2;
        sheets.inverse_masses.head(half).setZero();
        sheets.velocities.bottomRows(half).col(0).setConstant(0.2);
        sheets.gravity = {0, 0, -9.81};
        ContactPass pass = sheets.make_pass(nullptr, {.enabled = true, .thickness = 0.002, .friction = friction});
        for (int i = 0; i < 20; ++i) sheets.step(pass, 0.001);
        speeds.push_back(sheets.velocities.bottomRows(half).col(0).mean());
    }
    CHECK(speeds[0] > 0.7 * 0.2);
    CHECK(speeds[0] < 1.01 * 0.2);
    CHECK(speeds[1] < 0.6 * speeds[0]);
}

}  // namespace tulle::collision
