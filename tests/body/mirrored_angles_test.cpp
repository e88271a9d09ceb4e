// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mirrored_angles.h"

#include "tests/support/error_of.h"
#include "tulle/body/mannequin.h"
#include "tulle/body/random_angles.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::body;

namespace {

Affines placed(const Skeleton& skeleton, const std::vector<NamedAngles>& angles) {
    return skeleton.place(make_reach(skeleton, angles, 1).at(skeleton, 1));
}

}  // namespace

TEST_CASE("A mirrored pose puts every joint of the mannequin where a mirror shows it") {
    const Skeleton skeleton = mannequin_skeleton();
    const Matrix3 flip = Vector3(-1, 1, 1).asDiagonal();
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const std::vector<NamedAngles> angles = random_angles(skeleton, mannequin_upper_joints(), seed);
        const Affines there = placed(skeleton, angles), seen = placed(skeleton, mirrored_angles(angles));
        for (size_t j = 0; j < there.size(); ++j) {
            const auto other = static_cast<size_t>(skeleton.find(mirrored_joint(skeleton.joints[j].name)));
            CHECK((seen[other].translation() - flip * there[j].translation()).norm() < 1e-12);
            CHECK((seen[other].linear() - flip * there[j].linear() * flip).norm() < 1e-12);
        }
    }
}

TEST_CASE("A pose that is mirrored twice is the pose itself, within the same limits") {
    const Skeleton skeleton = mannequin_skeleton();
    const std::vector<NamedAngles> angles = random_angles(skeleton, mannequin_upper_joints(), 4);
    CHECK(mirrored_angles(mirrored_angles(angles)) == angles);
    for (const auto& [name, seen] : mirrored_angles(angles)) {
        const JointLimits& limits = skeleton.joints[static_cast<size_t>(skeleton.find(name))].limits;
        for (int k = 0; k < 3; ++k) {
            CHECK(seen(k) >= limits.low(k));
            CHECK(seen(k) <= limits.high(k));
        }
    }
}

TEST_CASE("A pose of one arm alone has no mirror image") {
    CHECK(test::contains(test::error_of([] { (void)mirrored_angles({{"left_elbow", {1, 0, 0}}}); }), "right_elbow"));
}
