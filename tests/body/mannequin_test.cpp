// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mannequin.h"
#include "tests/support/closed_surface.h"
#include "tests/support/error_of.h"
#include "tulle/body/skin_weights.h"

#include <doctest/doctest.h>

#include <set>

using namespace tulle;
using namespace tulle::body;

namespace {

const Character& mannequin() {
    static const Character made = make_mannequin();
    return made;
}

const std::vector<std::string>& all_joints() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Joint& joint : mannequin().skeleton.joints) list.push_back(joint.name);
        return list;
    }();
    return names;
}

}  // namespace

TEST_CASE("The mannequin is a closed surface, 1.75 m tall, of at most 10,000 triangles, that stands on the ground") {
    const Positions& positions = mannequin().skin.positions;
    const geometry::TriangleMesh mesh{positions, mannequin().triangles, {}};
    CHECK(test::is_closed(mesh));
    CHECK(test::euler_characteristic(mesh) == 2);
    CHECK(mesh.triangle_count() >= 6000);
    CHECK(mesh.triangle_count() <= 10'000);
    CHECK(positions.col(2).minCoeff() == doctest::Approx(0).epsilon(0.002));
    CHECK(positions.col(2).maxCoeff() == doctest::Approx(1.75).epsilon(0.005));
    // About as much flesh as a body of that height.
    CHECK(test::volume(positions, mannequin().triangles) > 0.045);
    CHECK(test::volume(positions, mannequin().triangles) < 0.085);
}

TEST_CASE("Every vertex of the mannequin follows a few joints that are near each other in its skeleton") {
    check(mannequin().skin, mannequin().skeleton);
    const Skin& skin = mannequin().skin;
    std::set<int> used;
    for (long v = 0; v < skin.joints.rows(); ++v) {
        used.insert(skin.joints(v, 0));
        CHECK(skin.weights(v, 0) >= skin.weights(v, 1));
        const double x = skin.positions(v, 0);
        const std::string& name = mannequin().skeleton.joints[static_cast<size_t>(skin.joints(v, 0))].name;
        if (x > 0.05) CHECK_FALSE(name.starts_with("right"));
        if (x < -0.05) CHECK_FALSE(name.starts_with("left"));
    }
    CHECK(used.size() == mannequin().skeleton.joints.size());
}

TEST_CASE("The mannequin has the ten upper joints of a shirt, with limits, and both sides bend alike") {
    const Skeleton& skeleton = mannequin().skeleton;
    CHECK(mannequin_upper_joints().size() == 10);
    for (const std::string& name : mannequin_upper_joints()) {
        const int joint = skeleton.find(name);
        REQUIRE(joint >= 0);
        const JointLimits& limits = skeleton.joints[static_cast<size_t>(joint)].limits;
        CHECK((limits.high - limits.low).maxCoeff() > 0);
        CHECK((limits.high - limits.low).minCoeff() >= 0);
    }
    Pose pose = skeleton.rest_pose();
    for (const std::string side : {"left_", "right_"}) {
        turn(skeleton, skeleton.find(side + "shoulder"), {0.5, 0.3, 0.2}, pose);
        turn(skeleton, skeleton.find(side + "elbow"), {0.8, 0, 0.1}, pose);
    }
    const Affines placed = skeleton.place(pose);
    const Vector3 left = placed[static_cast<size_t>(skeleton.find("left_wrist"))].translation();
    const Vector3 right = placed[static_cast<size_t>(skeleton.find("right_wrist"))].translation();
    CHECK((left - Vector3(-right.x(), right.y(), right.z())).norm() < 1e-12);
    const Vector3 rest =
        skeleton.place(skeleton.rest_pose())[static_cast<size_t>(skeleton.find("left_wrist"))].translation();
    CHECK(left.y() < rest.y() - 0.1);  // bending brings arms forward
}

TEST_CASE("The mannequin keeps its volume to a tenth in random poses within the limits of all its joints") {
    const double rest = test::volume(mannequin().skin.positions, mannequin().triangles);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Pose pose = random_pose(mannequin().skeleton, all_joints(), seed);
        const double posed = test::volume(mannequin().posed(pose), mannequin().triangles);
        CAPTURE(seed);
        CHECK(posed == doctest::Approx(rest).epsilon(0.1));
    }
}

TEST_CASE("Random poses depend on their seed only and name joints that are there") {
    const Skeleton& skeleton = mannequin().skeleton;
    const Pose a = random_pose(skeleton, all_joints(), 3), b = random_pose(skeleton, all_joints(), 3);
    const Pose c = random_pose(skeleton, all_joints(), 4);
    CHECK(mannequin().posed(a) == mannequin().posed(b));
    CHECK(mannequin().posed(a) != mannequin().posed(c));
    CHECK(test::error_of([&] { random_pose(skeleton, {"tail"}, 1); }) == "the skeleton has no joint 'tail'");
}

TEST_CASE("Skin weights spread like heat: they add up to one and never leave it") {
    const Skin& skin = mannequin().skin;
    CHECK(skin.weights.minCoeff() >= 0);
    CHECK((skin.weights.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
}
