// SPDX-License-Identifier: Apache-2.0
// Colliders whose vertices move, each on its own way.
#include "tests/collision/fixtures.h"
#include "tests/support/near.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::collision {

namespace {

using Pose = std::function<Vector3(const Vector3&)>;

// A mesh with one key for each pose, a second apart or as given.
Collider deforming(const geometry::TriangleMesh& mesh, const std::vector<Pose>& poses, double seconds = 1) {
    geometry::DeformingMotion motion;
    for (const Pose& pose : poses) {
        Positions key = mesh.positions;
        for (long v = 0; v < key.rows(); ++v) key.row(v) = pose(mesh.positions.row(v));
        motion.times.push_back(seconds * static_cast<double>(motion.times.size()));
        motion.positions.push_back(std::move(key));
    }
    Collider collider{.name = "body"};
    collider.deforming = std::make_unique<DeformingMesh>(mesh.triangles, std::move(motion));
    return collider;
}

Pose moved(const Vector3& by) {
    return [by](const Vector3& x) { return Vector3(x + by); };
}
Pose scaled(double by) {
    return [by](const Vector3& x) { return Vector3(by * x); };
}

// One vertex through one step; there and what is left of its velocity.
struct Flight {
    Positions end;
    Velocities velocities;
    int contacts = 0;
};

Flight fly(const std::shared_ptr<Colliders>& colliders, const Vector3& start, const Vector3& velocity, double dt) {
    ContactPass pass(Positions::Zero(1, 3), Triangles(0, 3), VectorX::Ones(1), colliders, {});
    const Positions first = start.transpose();
    Flight flight{.end = (start + dt * velocity).transpose(), .velocities = velocity.transpose()};
    flight.contacts = pass.apply({first, flight.end, flight.velocities, 0, dt}).collider_contacts;
    return flight;
}

void check_no_vertex_inside(SpringSheet& sheet, const std::shared_ptr<Colliders>& colliders, int steps, double dt) {
    sheet.gravity = {0, 0, -9.81};
    ContactPass pass = sheet.make_pass(colliders, {});
    int contacts = 0;
    for (int i = 0; i < steps; ++i) {
        contacts += sheet.step(pass, dt).collider_contacts;
        CHECK(find_deep_vertices(sheet.positions, *colliders, sheet.time, 1e-6).empty());
    }
    CHECK(contacts > 100);
}

}  // namespace

TEST_CASE("A box of triangles that moves by its vertices is met as the same box that moves rigidly") {
    const Vector3 way(0.3, -0.1, 0.2);
    Random random(31);
    int contacts = 0;
    for (const double friction : {0.0, 0.4}) {
        const auto box = [] { return make_box({0, 0, 0}, {0.6, 0.5, 0.4}, Matrix3::Identity()); };
        Collider rigid = collider_of(box());
        rigid.motion.keyframes = {{.time = 0}, {.time = 1, .translation = way}};
        Collider by_vertices = deforming(box()->to_mesh(), {moved({0, 0, 0}), moved(way)});
        for (Collider* collider : {&rigid, &by_vertices}) {
            collider->thickness = 0.01;
            collider->friction = friction;
            collider->restitution = 0.3;
            collider->contact_drag = 0.5;
        }
        const auto first = only(std::move(rigid)), second = only(std::move(by_vertices));
        for (int i = 0; i < 2000; ++i) {
            const Vector3 start = random_point(random, 0.5);
            if (first->front().shape->distance(start) < 0.011) continue;
            const Vector3 velocity = random_point(random, 4);
            const Flight expected = fly(first, start, velocity, 0.1), found = fly(second, start, velocity, 0.1);
            CHECK(found.contacts == expected.contacts);
            CHECK((found.end - expected.end).norm() < 1e-9);
            CHECK((found.velocities - expected.velocities).norm() < 1e-7);
            contacts += found.contacts;
        }
    }
    CHECK(contacts > 500);
}

TEST_CASE("A surface that comes out gives a vertex its own velocity, also one that only part of the mesh has") {
    // A cube whose upper half is pulled up: above, the surface rises by 2 m/s, on the sides by less.
    const geometry::TriangleMesh cube = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    const Pose stretched = [](const Vector3& x) { return Vector3(x.x(), x.y(), x.z() > 0 ? x.z() + 2 : x.z()); };
    Collider collider = deforming(cube, {moved({0, 0, 0}), stretched});
    collider.friction = 10;
    const auto colliders = only(std::move(collider));
    const Flight above = fly(colliders, {0.1, 0.2, 0.505}, {0, 0, -1}, 0.01);
    CHECK(above.contacts == 1);
    CHECK(above.end(0, 2) == test::near(0.525));
    CHECK((Vector3(above.velocities.row(0)) - Vector3(0, 0, 2)).norm() < 1e-9);
    // In the middle of a side the surface slides up at half of that; friction takes the vertex along.
    const Flight beside = fly(colliders, {0.505, 0, 0}, {-5, 0, 0}, 0.01);
    CHECK(beside.contacts == 1);
    CHECK((Vector3(beside.velocities.row(0)) - Vector3(0, 0, 1)).norm() < 0.02);
    // Below nothing moves.
    const Flight below = fly(colliders, {0.1, 0.2, -0.505}, {0, 0, 1}, 0.01);
    CHECK(below.velocities.row(0).norm() < 1e-9);
}

TEST_CASE("A vertex that a fast surface runs over in one step stays on its side") {
    const geometry::TriangleMesh plate = make_box({0, 0, 0}, {2, 2, 0.01}, Matrix3::Identity())->to_mesh();
    const auto colliders = only(deforming(plate, {moved({0, 0, 0}), moved({0, 0, 50})}));
    const Flight flight = fly(colliders, {0.3, 0.2, 0.4}, {0, 0, -3}, 0.02);  // the plate goes up by a metre
    CHECK(flight.contacts == 1);
    CHECK(flight.end(0, 2) == test::near(1.01));
    CHECK(flight.velocities(0, 2) == test::near(50));
}

TEST_CASE("A vertex that flies past, or is far away, is left alone") {
    const geometry::TriangleMesh ball = make_sphere({0, 0, 0}, 0.3)->to_mesh();
    const auto colliders = only(deforming(ball, {scaled(1), scaled(1.2)}));
    for (const Vector3& start : {Vector3(0, 0.32, 1), Vector3(0, 5, 1), Vector3(0, 0.31, -0.2)}) {
        const Flight flight = fly(colliders, start, {0.5, 0.6, 0.1}, 0.01);
        CHECK(flight.contacts == 0);
        CHECK((Vector3(flight.end.row(0)) - start - Vector3(0.005, 0.006, 0.001)).norm() < 1e-15);
    }
}

TEST_CASE("A vertex that starts deep inside is pushed out") {
    const geometry::TriangleMesh ball = make_sphere({0, 0, 0}, 0.3)->to_mesh();
    const auto colliders = only(deforming(ball, {scaled(1), scaled(1.2)}));
    const Flight flight = fly(colliders, {0.05, 0, 0.02}, {0, 0, 0}, 0.01);
    CHECK(flight.contacts == 1);
    CHECK(find_deep_vertices(flight.end, *colliders, 0.01, -0.0049).empty());
}

TEST_CASE("No vertex of a cloth is ever inside a ball that swells, shrinks, moves and is dented under it") {
    const geometry::TriangleMesh ball = make_sphere({0, 0, 0}, 0.2)->to_mesh();
    const Pose dented = [](const Vector3& x) {
        return Vector3(1.2 * x.x() + 0.15, 0.8 * x.y(), x.z() > 0 ? 0.5 * x.z() : x.z());
    };
    Collider collider = deforming(ball, {scaled(1), scaled(1.4), dented, scaled(0.5), moved({0.1, 0, 0.1})}, 0.15);
    collider.friction = 0.3;
    SpringSheet sheet(flat_sheet(21, 21, 0.025, Vector3(-0.25, -0.25, 0.22)));
    check_no_vertex_inside(sheet, only(std::move(collider)), 150, 0.004);
}

TEST_CASE("A vertex is deep in a deforming collider where that is at the time") {
    const geometry::TriangleMesh cube = make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    Colliders colliders;
    colliders.push_back(deforming(cube, {scaled(1), scaled(3)}));
    Positions points(3, 3);
    points << 0, 0, 0.45, 0.7, 0, 0, 2, 0, 0;
    auto deep = find_deep_vertices(points, colliders, 0, 0);
    REQUIRE(deep.size() == 1);
    CHECK(deep[0].vertex == 0);
    CHECK(deep[0].depth == test::near(0.05));
    deep = find_deep_vertices(points, colliders, 1, 0);
    REQUIRE(deep.size() == 2);
    CHECK(deep[1].vertex == 1);
    CHECK(deep[1].depth == test::near(0.8));
}

TEST_CASE("Contact with a deforming collider has the same bits on 1, 2, 3 and 8 threads") {
    const int threads_before = thread_count();
    Positions alone;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        const geometry::TriangleMesh ball = make_sphere({0, 0, 0}, 0.2)->to_mesh();
        Collider collider = deforming(ball, {scaled(1), scaled(2)}, 0.2);
        collider.friction = 0.2;
        SpringSheet sheet(flat_sheet(41, 41, 0.0125, Vector3(-0.25, -0.25, 0.21)));
        ContactPass pass = sheet.make_pass(only(std::move(collider)), {.enabled = true});
        for (int i = 0; i < 20; ++i) sheet.step(pass, 0.002);
        if (threads == 1) alone = sheet.positions;
        CHECK(sheet.positions == alone);
    }
    set_thread_count(threads_before);
}

}  // namespace tulle::collision
