// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/keyframes.h"
#include "tests/body/arm.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/body/mannequin.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::body;

TEST_CASE("A clip through keyframes passes every key and starts and ends at rest") {
    const Skeleton skeleton = test::arm_skeleton();
    const Clip clip = make_clip(skeleton, {.name = "bend",
                                           .keys = {{.time = 0, .angles = {{"lower", {0, 0, 0.1}}}},
                                                    {.time = 1, .angles = {{"lower", {0, 0, 1.0}}}},
                                                    {.time = 3, .angles = {{"lower", {0, 0, -0.5}}}}}});
    const auto angle = [&](double time) {
        const Pose pose = clip.at(skeleton, time);
        return 2 * std::atan2(pose[1].rotation.z(), pose[1].rotation.w());
    };
    CHECK(clip.duration == 3);
    CHECK(angle(0) == test::near(0.1));
    CHECK(angle(1) == test::near(1.0));
    CHECK(angle(3) == test::near(-0.5));
    CHECK(std::abs(angle(1.0 / 60) - angle(0)) < 1e-3);
    CHECK(std::abs(angle(3) - angle(3 - 1.0 / 60)) < 1e-3);
}

TEST_CASE("A closed clip repeats without a jerk") {
    const Skeleton skeleton = mannequin_skeleton();
    const std::vector<Clip> clips = mannequin_clips(skeleton);
    REQUIRE(clips.size() == 2);
    const Clip& walk = clips[1];
    CHECK(walk.name == "walk");
    const auto hip = static_cast<size_t>(skeleton.find("left_hip"));
    const double step = 1e-2;
    const auto turned = [&](double from) {
        const Eigen::Quaterniond a = walk.repeated_at(skeleton, from)[hip].rotation;
        return a.angularDistance(walk.repeated_at(skeleton, from + step)[hip].rotation) / step;
    };
    CHECK(turned(walk.duration - step) == doctest::Approx(turned(walk.duration)).epsilon(0.05));
}

TEST_CASE("The mannequin's own clips keep to the limits of its joints") {
    const Skeleton skeleton = mannequin_skeleton();
    for (const Clip& clip : mannequin_clips(skeleton))
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::Rotation) continue;
            const Joint& joint = skeleton.joints[static_cast<size_t>(track.joint)];
            const double most = joint.limits.low.cwiseAbs().cwiseMax(joint.limits.high.cwiseAbs()).norm();
            for (const Eigen::Vector4d& value : track.values) {
                CAPTURE(joint.name);
                CHECK(Eigen::Quaterniond::Identity().angularDistance(Eigen::Quaterniond(value)) <= most + 1e-9);
            }
        }
}

TEST_CASE("A keyframe that turns a joint that is not there is refused") {
    CHECK(test::error_of([] {
              (void)make_clip(test::arm_skeleton(), {.name = "a", .keys = {{.angles = {{"tail", {0, 0, 0}}}}}});
          }) == "the clip 'a' turns a joint 'tail', which is not there");
}
