// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/face_contact.h"

#include "tulle/collision/contact_pass.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/grid_cloth.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::collision;

namespace {

// One triangle of 0.2 m in the plane z = 0 around the origin.
geometry::TriangleMesh triangle() {
    geometry::TriangleMesh mesh;
    mesh.positions.resize(3, 3);
    mesh.positions << -0.1, -0.1, 0, 0.1, -0.1, 0, 0, 0.1, 0;
    mesh.triangles.resize(1, 3);
    mesh.triangles << 0, 1, 2;
    return mesh;
}

struct Pass {
    geometry::TriangleMesh mesh;
    std::shared_ptr<Colliders> colliders = std::make_shared<Colliders>();
    VectorX inverse_masses;
    Positions end;
    Velocities velocities;

    explicit Pass(geometry::TriangleMesh of)
        : mesh(std::move(of)),
          inverse_masses(VectorX::Constant(mesh.positions.rows(), 1000)),
          end(mesh.positions),
          velocities(Velocities::Zero(mesh.positions.rows(), 3)) {}

    ContactReport run(double dt = 0.01, const SelfContactSettings& self = {}) {
        ContactPass pass(mesh.positions, mesh.triangles, inverse_masses, colliders, self);
        return pass.apply({.start = mesh.positions, .end = end, .velocities = velocities, .time = 0, .dt = dt});
    }
    long cuts(double time) const {
        const PlacedCollider placed(colliders->front(), time);
        geometry::TriangleMesh solid = placed.shape().to_mesh();
        for (auto row : solid.positions.rowwise()) row = (placed.to_world() * Vector3(row)).transpose();
        return static_cast<long>(find_cuts(end, mesh.triangles, solid).size());
    }
};

Collider needle(double height) {  // its upper end is at this height
    return {.name = "needle",
            .shape = make_capsule({0, 0, height - 0.3}, {0, 0, height - 0.005}, 0.005),
            .thickness = 0.004};
}

geometry::RigidMotion moving(const Vector3& translation, double time) {
    return {.keyframes = {{.time = 0}, {.time = time, .translation = translation}}};
}

}  // namespace

TEST_CASE("A triangle that falls on a needle between its vertices stops above it") {
    Pass pass(triangle());
    pass.colliders->push_back(needle(-0.02));
    pass.end.col(2).array() -= 0.05;
    pass.velocities.col(2).array() = -5;
    const ContactReport report = pass.run();
    CHECK(report.collider_contacts == 0);
    CHECK(report.face_contacts == 1);
    CHECK(report.unresolved == 0);
    CHECK(pass.cuts(0) == 0);
    const double middle = pass.end.col(2).dot(Vector3(0.25, 0.25, 0.5));
    CHECK(middle > -0.02 + 0.0019);
    CHECK(middle < -0.02 + 0.004);
    CHECK(std::abs(pass.velocities.col(2).dot(Vector3(0.25, 0.25, 0.5))) < 0.02);
}

TEST_CASE("A needle that flies through a triangle in one step takes it along, whichever side it comes from") {
    for (const double side : {-1.0, 1.0}) {
        Pass pass(triangle());
        Collider fast{.name = "needle",
                      .shape = make_capsule({0, 0, -side * 0.02}, {0, 0, -side * 0.04}, 0.005),
                      .thickness = 0.004};
        fast.motion = moving({0, 0, side * 0.5}, 0.01);
        pass.colliders->push_back(std::move(fast));
        const ContactReport report = pass.run();
        CHECK(report.face_contacts == 1);
        CHECK(report.unresolved == 0);
        const double middle = side * pass.end.col(2).dot(Vector3(0.25, 0.25, 0.5));
        CHECK(middle > 0.48 + 0.005);
        CHECK(middle < 0.48 + 0.04);                       // it tilts, and the needle leans on it
        CHECK(side * pass.velocities.col(2).mean() > 30);  // of the 50 m/s of the needle
    }
}

TEST_CASE("A triangle that flies past a needle, or lies flat on a table, is left to its vertices") {
    Pass past(triangle());
    past.colliders->push_back(needle(-0.02));
    past.mesh.positions.col(0).array() += 0.2;
    past.end = past.mesh.positions;
    past.end.col(2).array() -= 0.05;
    const Positions proposed = past.end;
    CHECK(past.run().face_contacts == 0);
    CHECK(past.end == proposed);

    Pass flat(triangle());
    flat.colliders->push_back(
        {.name = "table", .shape = make_box({0, 0, -0.505}, {1, 1, 1}, Matrix3::Identity()), .thickness = 0.005});
    flat.end.col(2).array() -= 0.003;
    const ContactReport report = flat.run();
    CHECK(report.collider_contacts == 3);
    CHECK(report.face_contacts == 0);
}

TEST_CASE("A face pushes its vertices by their masses and leaves momentum in no other direction than the normal") {
    Pass pass(triangle());
    pass.colliders->push_back(needle(-0.02));
    pass.inverse_masses << 1000, 500, 250;
    pass.end.col(2).array() -= 0.025;
    pass.velocities.col(2).array() = -2.5;
    const Velocities before = pass.velocities;
    CHECK(pass.run().face_contacts == 1);
    const Velocities change = pass.velocities - before;
    CHECK(change.leftCols(2).cwiseAbs().maxCoeff() < 0.02 * change.col(2).maxCoeff());
    // Impulses m Δv are as the weights of the point: a quarter, a quarter and a half.
    const VectorX impulses = pass.inverse_masses.cwiseInverse().cwiseProduct(change.col(2));
    CHECK(impulses(0) == doctest::Approx(impulses(1)).epsilon(0.01));
    CHECK(impulses(2) == doctest::Approx(2 * impulses(0)).epsilon(0.01));
}

TEST_CASE("Friction at a face holds back what slides on a needle") {
    for (const double friction : {0.0, 0.5, 10.0}) {
        Pass pass(triangle());
        pass.colliders->push_back(needle(-0.004));
        pass.colliders->back().friction = friction;
        pass.end.col(2).array() -= 0.01;
        pass.end.col(0).array() += 0.01;
        pass.velocities = (pass.end - pass.mesh.positions) / 0.01;
        CHECK(pass.run().face_contacts == 1);
        const double slid = pass.velocities.col(0).dot(Vector3(0.25, 0.25, 0.5));
        if (friction == 0) CHECK(slid == doctest::Approx(1).epsilon(0.02));
        if (friction == 0.5) CHECK(slid == doctest::Approx(0.5).epsilon(0.1));
        if (friction == 10) CHECK(std::abs(slid) < 0.05);
    }
}

TEST_CASE("Pinned corners stay; a face with all of them pinned is left alone") {
    Pass pass(triangle());
    pass.colliders->push_back(needle(0.02));
    pass.inverse_masses << 0, 0, 1000;
    CHECK(pass.run().face_contacts >= 1);
    CHECK(pass.end.topRows(2) == pass.mesh.positions.topRows(2));
    Pass held(triangle());
    held.colliders->push_back(needle(0.02));
    held.inverse_masses.setZero();
    CHECK(held.run().face_contacts == 0);
    CHECK(held.end == held.mesh.positions);
}

TEST_CASE("A cloth thrown over a sharp box, a capsule and a level set is cut by none, on 1, 2 and 3 threads alike") {
    const int threads_before = thread_count();
    for (int kind = 0; kind < 3; ++kind) {
        Positions alone;
        for (const int threads : {1, 2, 3}) {
            set_thread_count(threads);
            Pass pass(geometry::make_grid_cloth({21, 21}, {.origin = {-0.5, 0, -0.5}, .width = 1, .height = 1}).mesh);
            // The grid lies in a vertical plane at first.
            Collider solid{.name = "solid", .thickness = 0.006};
            const auto box = make_box({0.013, 0.21, -1.008}, {0.3, 0.2, 0.31}, Matrix3::Identity());
            if (kind == 0) solid.shape = make_box({0.013, 0.21, -1.008}, {0.3, 0.2, 0.31}, Matrix3::Identity());
            if (kind == 1) solid.shape = make_capsule({-0.2, 0.2, -1}, {0.2, 0.25, -0.9}, 0.02);
            if (kind == 2) solid.shape = make_mesh_shape(box->to_mesh(), 0.004);
            pass.colliders->push_back(std::move(solid));
            for (int step = 0; step < 12; ++step) {
                pass.end.col(1).array() += 0.03;
                const ContactReport report = pass.run();
                CHECK(report.unresolved == 0);
                CHECK(pass.cuts(0) == 0);
                pass.mesh.positions = pass.end;
            }
            CHECK((pass.end.col(1).array() < 0.3).any());  // something was held back
            if (threads == 1) alone = pass.end;
            CHECK(pass.end == alone);
        }
    }
    set_thread_count(threads_before);
}

TEST_CASE("Of ten thousand colliders those that are near act, as if they were the only ones") {
    const auto pass_over = [](int balls) {
        Pass pass(geometry::make_grid_cloth({11, 11}, {.origin = {-0.5, 0, -0.5}, .width = 1, .height = 1}).mesh);
        for (int i = 0; i < balls; ++i)  // a line of them along x, of which five are under the cloth
            pass.colliders->push_back(
                {.name = "ball", .shape = make_sphere({0.2 * i - 0.4, 0.1, -1}, 0.05), .thickness = 0.005});
        pass.end.col(1).array() += 0.1;
        pass.velocities.col(1).array() = 10;
        CHECK(pass.run().unresolved == 0);
        return pass.end;
    };
    const Positions few = pass_over(5);
    CHECK((few.col(1).array() < 0.09).any());
    CHECK(pass_over(10'000) == few);
}
