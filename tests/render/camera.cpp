// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/camera.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::render;

namespace {

std::vector<Vector3> cloud() {
    Random random(11);
    std::vector<Vector3> points;
    for (int i = 0; i < 200; ++i)
        points.emplace_back(random.uniform(-1, 3), random.uniform(0, 0.5), random.uniform(1, 2));
    return points;
}

}  // namespace

TEST_CASE("An automatic camera shows every point and wastes no room") {
    for (const ImageSize size : {ImageSize{1280, 720}, ImageSize{400, 700}, ImageSize{700, 200}}) {
        const Subject subject{.points = cloud(), .facing = -Vector3::UnitY()};
        const Camera camera = make_camera({}, subject, size);
        Eigen::Vector2f low(1e9f, 1e9f);
        Eigen::Vector2f high = -low;
        for (const Vector3& point : subject.points) {
            const auto pixel = camera.project(point.cast<float>());
            REQUIRE(pixel);
            low = low.cwiseMin(*pixel);
            high = high.cwiseMax(*pixel);
        }
        CHECK(low.minCoeff() > 0);
        CHECK(high.x() < static_cast<float>(size.width));
        CHECK(high.y() < static_cast<float>(size.height));
        const float used_width = (high.x() - low.x()) / static_cast<float>(size.width);
        const float used_height = (high.y() - low.y()) / static_cast<float>(size.height);
        CHECK(std::max(used_width, used_height) > 0.85f);
    }
}

TEST_CASE("The ray through a pixel passes through the point that is drawn there") {
    const Camera camera = make_camera({.eye = Vector3(1, -4, 2), .target = Vector3(0, 0, 1)}, {.points = cloud()}, {});
    const Point point(0.3f, 0.2f, 1.4f);
    const Eigen::Vector2f pixel = camera.project(point).value();
    const Point direction = camera.direction(pixel.x(), pixel.y());
    CHECK((direction - (point - camera.eye()).normalized()).norm() < 1e-5f);
    CHECK_FALSE(camera.project(Point(1.5f, -8, 3)));
}

TEST_CASE("The middle of the picture is the target that was given, and up in the world is up in the picture") {
    const Camera camera = make_camera({.eye = Vector3(1, -4, 2), .target = Vector3(0, 0, 1)}, {.points = cloud()}, {});
    CHECK((camera.project(Point(0, 0, 1)).value() - Eigen::Vector2f(640, 360)).norm() < 0.01f);
    CHECK(camera.project(Point(0, 0, 1.5f)).value().y() < 360);
    CHECK(camera.project(Point(0.5f, 0, 1)).value().x() > 640);
}

TEST_CASE("A camera at its own target or without a sensible angle is refused") {
    const Subject subject{.points = cloud()};
    CHECK_THROWS_AS(make_camera({.eye = Vector3(1, 1, 1), .target = Vector3(1, 1, 1)}, subject, {}), Error);
    CHECK_THROWS_AS(make_camera({.field_of_view = 0}, subject, {}), Error);
    CHECK_THROWS_AS(make_camera({.eye = Vector3(NAN, 0, 0)}, subject, {}), Error);
    CHECK_NOTHROW(make_camera({}, {.points = {Vector3(1, 2, 3)}}, {}));
}
