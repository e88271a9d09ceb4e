// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/clip.h"
#include "tests/body/arm.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::body;

namespace {

Eigen::Vector4d about_z(double angle) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3::UnitZ())).coeffs();
}

double angle_of(const Pose& pose, size_t joint) {
    return Eigen::Quaterniond::Identity().angularDistance(pose[joint].rotation);
}

}  // namespace

TEST_CASE("A clip turns joints at a constant speed between keys and holds before the first and after the last") {
    const Skeleton skeleton = test::arm_skeleton();
    const Clip clip{.name = "bend",
                    .duration = 3,
                    .tracks = {{.joint = 1, .times = {1, 3}, .values = {about_z(0.2), about_z(1.2)}}}};
    for (const auto& [time, angle] : std::vector<std::pair<double, double>>{
             {0, 0.2}, {1, 0.2}, {1.25, 0.325}, {2, 0.7}, {2.75, 1.075}, {3, 1.2}, {9, 1.2}})
        CHECK(angle_of(clip.at(skeleton, time), 1) == test::near(angle));
    CHECK(angle_of(clip.at(skeleton, 2), 0) == 0);
    CHECK(clip.at(skeleton, 2)[1].translation == Vector3(0.3, 0, 0));
}

TEST_CASE("Rotations take the short way between keys") {
    const Skeleton skeleton = test::arm_skeleton();
    const Clip clip{
        .name = "", .duration = 1, .tracks = {{.joint = 1, .times = {0, 1}, .values = {about_z(0), -about_z(1)}}}};
    CHECK(angle_of(clip.at(skeleton, 0.5), 1) == test::near(0.5));
}

TEST_CASE("Steps jump, and cubic tracks follow a Hermite spline") {
    const Skeleton skeleton = test::arm_skeleton();
    const Clip steps{.name = "",
                     .duration = 2,
                     .tracks = {{.joint = 0,
                                 .path = TrackPath::Translation,
                                 .interpolation = TrackInterpolation::Step,
                                 .times = {0, 2},
                                 .values = {{1, 0, 0, 0}, {5, 0, 0, 0}}}}};
    CHECK(steps.at(skeleton, 1.99)[0].translation.x() == 1);
    CHECK(steps.at(skeleton, 2)[0].translation.x() == 5);
    // x(t) = t³ on [1, 3]: values 1 and 27, slopes 3 and 27.
    const Clip cubic{
        .name = "",
        .duration = 3,
        .tracks = {
            {.joint = 0,
             .path = TrackPath::Scale,
             .interpolation = TrackInterpolation::Cubic,
             .times = {1, 3},
             .values = {{9, 9, 9, 0}, {1, 1, 1, 0}, {3, 3, 3, 0}, {27, 27, 27, 0}, {27, 27, 27, 0}, {9, 9, 9, 0}}}}};
    for (const double t : {1.0, 1.3, 2.0, 2.9, 3.0}) CHECK(cubic.at(skeleton, t)[0].scale.y() == test::near(t * t * t));
    CHECK(cubic.at(skeleton, 0)[0].scale.y() == 1);
}

TEST_CASE("A repeated clip begins again where it ends") {
    const Skeleton skeleton = test::arm_skeleton();
    const Clip clip{
        .name = "", .duration = 2, .tracks = {{.joint = 1, .times = {0, 2}, .values = {about_z(0), about_z(1)}}}};
    CHECK(angle_of(clip.repeated_at(skeleton, 7), 1) == test::near(angle_of(clip.at(skeleton, 1), 1)));
}

TEST_CASE("Joints carry their children: a bent elbow moves the hand on a circle") {
    Skeleton skeleton = test::arm_skeleton();
    skeleton.joints.push_back({.name = "hand", .parent = 1, .rest = {.translation = {0.25, 0, 0}}});
    CHECK(skeleton.find("hand") == 2);
    CHECK(skeleton.find("foot") == -1);
    Pose pose = skeleton.rest_pose();
    turn(skeleton, 1, {0, 0, 0.5}, pose);  // about z
    const Vector3 hand = skeleton.place(pose)[2].translation();
    CHECK((hand - Vector3(0.25 * std::cos(0.5), 0.25 * std::sin(0.5), 0)).norm() < 1e-15);
}
