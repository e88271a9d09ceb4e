// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/push_out.h"

#include "tulle/collision/shape.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;

namespace {

Positions cloud(int count) {
    Random random(1);
    Positions points(count, 3);
    for (double& value : points.reshaped<Eigen::RowMajor>()) value = random.uniform(-0.5, 0.5);
    return points;
}

collision::Colliders ball_and_floor() {
    collision::Colliders colliders;
    collision::Collider ball{.name = "ball", .shape = collision::make_sphere({0, 0, 0}, 0.2), .thickness = 0.01};
    ball.motion.keyframes = {{.time = 0}, {.time = 1, .translation = {0.1, 0, 0}}};
    colliders.push_back(std::move(ball));
    colliders.push_back(
        {.name = "floor", .shape = collision::make_plane({0, 0, -0.3}, Vector3::UnitZ()), .thickness = 0.005});
    return colliders;
}

// Of single vertices.
long push_out(const collision::Colliders& colliders, double time, Positions& positions) {
    return PushOut({.positions = positions, .triangles = {}, .tex_coords = {}}, colliders).apply(time, positions);
}

}  // namespace

TEST_CASE("Vertices that are pushed out lie outside of every collider by its thickness, where it is at the time") {
    const collision::Colliders colliders = ball_and_floor();
    const Positions before = cloud(2000);
    Positions after = before;
    const long moved_count = push_out(colliders, 1, after);
    const Vector3 center(0.1, 0, 0);
    long inside = 0;
    for (long v = 0; v < before.rows(); ++v) {
        const Vector3 point = after.row(v);
        CHECK((point - center).norm() > 0.21 - 1e-9);
        CHECK(point.z() > -0.295 - 1e-9);
        const bool was_inside = (Vector3(before.row(v)) - center).norm() < 0.21 || before(v, 2) < -0.295;
        inside += was_inside;
        if (!was_inside) CHECK(after.row(v) == before.row(v));
    }
    CHECK(moved_count == inside);
    CHECK(inside > 100);
}

TEST_CASE("Vertices are pushed out of a deforming collider as it is at the time") {
    const geometry::TriangleMesh box = collision::make_box({0, 0, 0}, {1, 1, 1}, Matrix3::Identity())->to_mesh();
    collision::Colliders colliders;
    colliders.push_back({.name = "box", .thickness = 0.01});
    colliders.back().deforming = std::make_unique<collision::DeformingMesh>(
        box.triangles,
        geometry::DeformingMotion{.times = {0, 1}, .positions = {0.1 * box.positions, 0.5 * box.positions}});
    const Positions before = cloud(2000);
    Positions early = before, late = before;
    const long few = push_out(colliders, 0, early), many = push_out(colliders, 1, late);
    const auto expected = collision::make_box({0, 0, 0}, {0.5, 0.5, 0.5}, Matrix3::Identity());
    long inside = 0;
    for (long v = 0; v < late.rows(); ++v) {
        CHECK(expected->distance(late.row(v)) > 0.01 - 1e-9);
        inside += expected->distance(before.row(v)) < 0.01 ? 1 : 0;
    }
    CHECK(many == inside);
    CHECK(few > 0);
    CHECK(few < many / 10);
}

TEST_CASE("The faces of what is shown are pushed off a sharp edge although its vertices are outside") {
    collision::Colliders colliders;
    colliders.push_back({.name = "table",
                         .shape = collision::make_box({0, 0, -0.5}, {1, 1, 1}, Matrix3::Identity()),
                         .thickness = 0.005});
    geometry::TriangleMesh strip;  // bent over the edge at x = 0.5, whose chord cuts it by 35 mm
    strip.positions.resize(4, 3);
    strip.positions << 0.45, 0, 0.005, 0.45, 0.1, 0.005, 0.505, 0, -0.045, 0.505, 0.1, -0.045;
    strip.triangles.resize(2, 3);
    strip.triangles << 0, 2, 1, 1, 2, 3;
    Positions positions = strip.positions;
    CHECK(PushOut(strip, colliders).apply(0, positions) == 0);
    for (const auto face : strip.triangles.rowwise())
        for (double u = 0; u <= 1; u += 0.05)
            for (double w = 0; u + w <= 1; w += 0.05) {
                const Vector3 point =
                    u * positions.row(face(0)) + w * positions.row(face(1)) + (1 - u - w) * positions.row(face(2));
                CHECK(colliders[0].shape->distance(point) > 0.0025 - 1e-4);
            }
}

TEST_CASE("Pushing out has the same bits on 1, 2, 3 and 8 threads") {
    const collision::Colliders colliders = ball_and_floor();
    const int threads_before = thread_count();
    set_thread_count(1);
    Positions alone = cloud(2000);
    const long count = push_out(colliders, 0.5, alone);
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        Positions together = cloud(2000);
        CHECK(push_out(colliders, 0.5, together) == count);
        CHECK(together == alone);
    }
    set_thread_count(threads_before);
}
