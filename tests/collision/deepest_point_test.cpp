// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/deepest_point.h"

#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

using namespace tulle;
using namespace tulle::collision;

namespace {

Vector3 random_point(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// The least distance of densely sampled points of the triangle.
double sampled(const Shape& shape, const Corners& x) {
    constexpr int parts = 60;
    double least = 1e9;
    for (int i = 0; i <= parts; ++i)
        for (int j = 0; i + j <= parts; ++j)
            least = std::min(least, shape.distance((i * x[0] + j * x[1] + (parts - i - j) * x[2]) / parts));
    return least;
}

std::vector<std::unique_ptr<Shape>> convex_shapes() {
    std::vector<std::unique_ptr<Shape>> shapes;
    const Matrix3 tilt = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    shapes.push_back(make_box({0.1, 0, 0}, {0.6, 0.4, 0.3}, tilt));
    shapes.push_back(make_box({0, 0, 0}, {0.5, 0.5, 0.01}, Matrix3::Identity()));
    shapes.push_back(make_sphere({0, 0, 0}, 0.3));
    shapes.push_back(make_capsule({-0.3, 0, 0}, {0.3, 0.1, 0}, 0.02));
    shapes.push_back(make_plane({0, 0, 0}, {0.3, -0.2, 1}));
    shapes.push_back(make_exact_mesh_shape(make_box({0.1, 0, 0}, {0.6, 0.4, 0.3}, tilt)->to_mesh()));
    return shapes;
}

}  // namespace

TEST_CASE("The deepest point of a triangle is as deep as the deepest of densely sampled ones, for every convex solid") {
    constexpr double precision = 1e-4;
    for (const auto& shape : convex_shapes()) {
        REQUIRE(shape->is_convex());
        Random random(7);
        int found_below = 0;
        for (int trial = 0; trial < 400; ++trial) {
            const Vector3 middle = random_point(random, 0.5);
            const Corners corners{middle + random_point(random, 0.3), middle + random_point(random, 0.3),
                                  middle + random_point(random, 0.3)};
            const double expected = sampled(*shape, corners);
            const double spacing = 0.01;  // [m] of the samples
            const auto found = deepest_point(*shape, corners, 1e9, precision);
            REQUIRE(found);
            CHECK(found->surface.distance < expected + 2 * precision);
            CHECK(found->surface.distance > expected - spacing);
            Vector3 place = Vector3::Zero();
            double sum = 0;
            for (size_t i = 0; i < 3; ++i) {
                CHECK(found->weights[i] >= 0);
                place += found->weights[i] * corners[i];
                sum += found->weights[i];
            }
            CHECK(sum == doctest::Approx(1));
            CHECK((place - found->place).norm() < 1e-12);
            CHECK(shape->distance(place) == doctest::Approx(found->surface.distance));
            // What is farther than what is asked for is not found, what is nearer is.
            CHECK(!deepest_point(*shape, corners, expected - spacing, precision));
            CHECK(deepest_point(*shape, corners, expected + 2 * precision, precision));
            found_below += found->surface.distance < 0 ? 1 : 0;
        }
        CHECK(found_below > 10);
        CHECK(found_below < 390);
    }
}

TEST_CASE("An edge of a box that only the inside of a triangle reaches is found") {
    const auto box = make_box({0, 0, -0.5}, {1, 1, 1}, Matrix3::Identity());
    // All corners 5 mm outside, the chord between them well inside.
    const Corners corners{Vector3(0.45, 0, 0.005), Vector3(0.505, 0.02, -0.05), Vector3(0.505, -0.02, -0.05)};
    const auto found = deepest_point(*box, corners, 0.0025, 1e-5);
    REQUIRE(found);
    CHECK(found->surface.distance < -0.01);
}

TEST_CASE("The tip of a mesh that is not convex is found inside a triangle") {
    geometry::TriangleMesh star;  // two pyramids base to base, the lower one turned inward
    star.positions.resize(6, 3);
    star.positions << -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0.5;
    star.triangles.resize(8, 3);
    star.triangles << 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5;
    const auto shape = make_exact_mesh_shape(star);
    CHECK(!shape->is_convex());
    const Corners corners{Vector3(-0.4, -0.3, 0.95), Vector3(0.5, -0.2, 0.95), Vector3(0, 0.4, 0.95)};
    const auto found = deepest_point(*shape, corners, 0.0, 1e-4);
    REQUIRE(found);
    CHECK(found->surface.distance < -0.01);
}
