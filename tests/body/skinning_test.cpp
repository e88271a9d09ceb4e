// SPDX-License-Identifier: Apache-2.0
#include "tests/body/arm.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/body/skinning_kernel.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::body;

namespace {

double farthest(const Positions& a, const Positions& b) { return (a - b).rowwise().norm().maxCoeff(); }

Positions posed(const Skin& skin, const Skeleton& skeleton, const Pose& pose, Skinning method) {
    return skinned(skin, skinning_transforms(skin, skeleton.place(pose)), method);
}

Pose bent(const Skeleton& skeleton, const Vector3& angles) {
    Pose pose = skeleton.rest_pose();
    turn(skeleton, 1, angles, pose);
    return pose;
}

constexpr double pi = std::numbers::pi;

}  // namespace

TEST_CASE("Skinning of the rest pose is the identity") {
    const Skeleton skeleton = test::arm_skeleton();
    const Skin skin = test::arm_skin(skeleton);
    for (const Skinning method : {Skinning::Linear, Skinning::DualQuaternions})
        CHECK(farthest(posed(skin, skeleton, skeleton.rest_pose(), method), skin.positions) < 1e-15);
}

TEST_CASE("Skinning of one bone is a rigid motion") {
    Skeleton skeleton;
    skeleton.joints.push_back({.name = "bone", .parent = -1, .rest = {.translation = {0.1, -0.2, 0.3}}});
    Skin skin = test::arm_skin(test::arm_skeleton());
    skin.joints.setZero();
    skin.inverse_binds = inverse_binds_at_rest(skeleton);
    Pose pose = skeleton.rest_pose();
    turn(skeleton, 0, {0.4, -1.1, 2.9}, pose);
    pose[0].translation = {5, 6, 7};
    const Eigen::Affine3d motion = skeleton.place(pose)[0] * skin.inverse_binds[0];
    const Positions expected =
        (skin.positions * motion.linear().transpose()).rowwise() + motion.translation().transpose();
    for (const Skinning method : {Skinning::Linear, Skinning::DualQuaternions})
        CHECK(farthest(posed(skin, skeleton, pose, method), expected) < 1e-14);
}

TEST_CASE("Dual quaternions keep the volume of a twisted elbow, where linear blending collapses") {
    const Skeleton skeleton = test::arm_skeleton();
    const Skin skin = test::arm_skin(skeleton);
    const int elbow = test::rings / 2;
    const double area = test::ring_area(skin.positions, elbow);
    for (const double degrees : {90.0, 150.0, 179.0}) {
        const Pose twisted = bent(skeleton, {degrees / 180 * pi, 0, 0});  // about x, the direction of the arm
        const Positions linear = posed(skin, skeleton, twisted, Skinning::Linear);
        const Positions dual = posed(skin, skeleton, twisted, Skinning::DualQuaternions);
        // Half of each bone: points of a circle and the same points turned by the twist, averaged.
        const double left = std::pow(std::cos(degrees / 360 * pi), 2);
        CHECK(test::ring_area(linear, elbow) == test::near(area * left));
        for (int r = 0; r < test::rings; ++r)
            CHECK(test::ring_area(dual, r) == test::near(test::ring_area(skin.positions, r)));
    }
}

TEST_CASE("Dual quaternions go the short way round, whatever the signs of the quaternions") {
    const Skeleton skeleton = test::arm_skeleton();
    const Skin skin = test::arm_skin(skeleton);
    Pose pose = bent(skeleton, {0.3, 0.5, 0});
    const Positions expected = posed(skin, skeleton, pose, Skinning::DualQuaternions);
    pose[1].rotation.coeffs() *= -1;
    CHECK(farthest(posed(skin, skeleton, pose, Skinning::DualQuaternions), expected) < 1e-14);
    turn(skeleton, 1, {0.3 - 2 * pi, 0.5, 0}, pose);
    CHECK(farthest(posed(skin, skeleton, pose, Skinning::DualQuaternions), expected) < 1e-14);
}

TEST_CASE("All kernels of skinning give what the plain loop gives, for any number of influences and of threads") {
    Random random(5);
    for (const int influences : {1, 2, 4, 7}) {
        Skeleton skeleton;
        for (int j = 0; j < 9; ++j)
            skeleton.joints.push_back({.name = "j", .parent = j - 1, .rest = {.translation = {0.1, 0.02 * j, 0}}});
        Pose pose = skeleton.rest_pose();
        for (int j = 0; j < 9; ++j) turn(skeleton, j, {random.uniform(-1, 1), random.uniform(-1, 1), 0}, pose);
        const long count = 1013;
        Skin skin{.positions = Positions::Random(count, 3),
                  .joints = InfluenceJoints(count, influences),
                  .weights = InfluenceWeights(count, influences),
                  .inverse_binds = inverse_binds_at_rest(skeleton)};
        for (long i = 0; i < skin.joints.size(); ++i) skin.joints.data()[i] = static_cast<int>(random.bits() % 9);
        for (long i = 0; i < skin.weights.size(); ++i) skin.weights.data()[i] = random.uniform();
        for (long v = 0; v < count; ++v) skin.weights.row(v) /= skin.weights.row(v).sum();
        check(skin, skeleton);
        const Affines transforms = skinning_transforms(skin, skeleton.place(pose));
        for (const Skinning method : {Skinning::Linear, Skinning::DualQuaternions}) {
            const Positions plain = skinned_reference(skin, transforms, method);
            const Positions fast = skinned(skin, transforms, method);
            CHECK(farthest(plain, fast) < 1e-12);
            const ThreadCountScope alone(1);
            CHECK(skinned(skin, transforms, method) == fast);
        }
        std::vector<double> rows;
        for (const Eigen::Affine3d& transform : transforms) {
            const Eigen::Matrix<double, 3, 4, Eigen::RowMajor> numbers = transform.affine();
            rows.insert(rows.end(), numbers.data(), numbers.data() + 12);
        }
        Positions portable(count, 3);
        portable_skinning_kernels.linear(
            {skin.positions.data(), skin.joints.data(), skin.weights.data(), influences, rows.data(), portable.data()},
            0, count);
        CHECK(farthest(portable, skinned_reference(skin, transforms, Skinning::Linear)) < 1e-12);
    }
}

TEST_CASE("A skin that names a joint that is not there or whose weights do not add up is refused") {
    const Skeleton skeleton = test::arm_skeleton();
    Skin skin = test::arm_skin(skeleton);
    skin.joints(7, 1) = 2;
    CHECK(test::error_of([&] { check(skin, skeleton); }) ==
          "vertex 7 of the skin follows joint 2, but there are only 2");
    skin = test::arm_skin(skeleton);
    skin.weights(3, 0) = 0.5;
    skin.weights(3, 1) = 0.6;
    CHECK(test::contains(test::error_of([&] { check(skin, skeleton); }), "weights of vertex 3"));
    skin.weights(3, 0) = 1.5;
    skin.weights(3, 1) = -0.5;
    CHECK(test::contains(test::error_of([&] { check(skin, skeleton); }), "weights of vertex 3"));
}
