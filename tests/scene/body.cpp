// SPDX-License-Identifier: Apache-2.0
// Bodies in scenes.
#include "tests/io/gltf_character.h"
#include "tests/support/closed_surface.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/body/mannequin.h"
#include "tulle/collision/intersections.h"
#include "tulle/scene/body_collider.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <numbers>

using namespace tulle;
using namespace tulle::scene;
using test::contains;

namespace {

Scene scene_with(const std::string& body, const std::string& before = "") {
    return parse_scene(before + "[cloth]\nmass = 1\n[body]\n" + body, "x.toml", ".");
}
const BodySolid& solid_of(const Scene& scene) { return std::get<BodySolid>(scene.colliders.back().shape); }
MovingBody body_with(const std::string& body) { return MovingBody(solid_of(scene_with(body))); }

std::string error(const std::string& body) {
    return test::error_naming("x.toml", [&] { (void)make_world(scene_with(body)); });
}

Vector3 joint_place(const MovingBody& moving, const std::string& name, double time) {
    const body::Skeleton& skeleton = moving.character().skeleton;
    return skeleton.place(moving.pose_at(time))[static_cast<size_t>(skeleton.find(name))].translation();
}

}  // namespace

TEST_CASE("A scene's body is the mannequin by default, and a collider called body that deforms") {
    const Scene scene = scene_with("clip = \"dance\"\nfriction = 0.5\n");
    const physics::World world = make_world(scene);
    REQUIRE(world.colliders->size() == 1);
    const collision::Collider& collider = world.colliders->front();
    CHECK(collider.name == "body");
    CHECK(collider.friction == 0.5);
    REQUIRE(collider.deforming);
    const Positions start = collider.deforming->positions_at(0);
    CHECK(start == body::make_mannequin().skin.positions);
    CHECK((collider.deforming->positions_at(3) - start).rowwise().norm().maxCoeff() > 0.2);
    CHECK(collision::PlacedCollider(collider, 0).shape().distance({0, 0, 1.2}) < -0.05);
}

TEST_CASE("A body goes from rest into its clip, and the clip repeats unless it must not") {
    const MovingBody walking = body_with("clip = \"walk\"\nlead_in = 0.5\n");
    CHECK(walking.positions_at(0) == walking.character().skin.positions);
    const auto apart = [](const MovingBody& moving, double a, double b) {
        return (moving.positions_at(a) - moving.positions_at(b)).rowwise().norm().maxCoeff();
    };
    CHECK(apart(walking, 0.7, 0.7 + 3 * 1.1) < 1e-9);
    CHECK(apart(walking, 0.7, 1.2) > 0.1);
    CHECK(apart(walking, 0.499999, 0.500001) < 1e-4);
    const MovingBody once = body_with("clip = \"dance\"\nrepeat = false\n");
    CHECK(apart(once, 9, 50) < 1e-12);
}

TEST_CASE("Clips and poses of the mannequin are written in degrees") {
    const MovingBody moving = body_with(
        "clip = \"bow\"\nlead_in = 0\nrepeat = false\n"
        "[[body.clips]]\nname = \"bow\"\nkeys = [{ time = 0, waist = [0, 0, 0] },"
        " { time = 2, waist = [90, 0, 0], root = [0, 0, 0.1] }]\n");
    const Vector3 waist = joint_place(moving, "waist", 0), spine = joint_place(moving, "spine", 0);
    const Vector3 bowed = joint_place(moving, "spine", 2) - joint_place(moving, "waist", 2);
    CHECK(joint_place(moving, "waist", 2).z() == test::near(waist.z() + 0.1));
    CHECK(bowed.y() == test::near(-(spine - waist).z()));  // forward is −y
    const MovingBody posed = body_with("lead_in = 2\n[body.pose]\nwaist = [90, 0, 0]\n");
    CHECK((joint_place(posed, "spine", 0) - spine).norm() < 1e-12);
    CHECK((joint_place(posed, "spine", 2) - joint_place(posed, "waist", 2) - bowed).norm() < 1e-12);
    const body::Pose half = posed.pose_at(1);
    const auto joint = static_cast<size_t>(posed.character().skeleton.find("waist"));
    CHECK(half[joint].rotation.angularDistance(Eigen::Quaterniond::Identity()) == test::near(std::numbers::pi / 4));
}

TEST_CASE("A body stands upright where y is up, and is scaled and moved into place") {
    const auto place = [](const std::string& before, const std::string& body) {
        const Scene scene = scene_with(body, before);
        return MovingBody(solid_of(scene)).positions_at(0);
    };
    const Positions z_up = place("", ""), y_up = place("up_axis = \"y\"\n", "");
    CHECK((y_up.col(1) - z_up.col(2)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((y_up.col(0) - z_up.col(0)).cwiseAbs().maxCoeff() < 1e-12);
    const Positions moved = place("", "scale = 2\ntranslation = [1, 0, 0]\n");
    CHECK((moved.col(0).array() - 2 * z_up.col(0).array() - 1).abs().maxCoeff() < 1e-12);
}

TEST_CASE("What is wrong with a body is said in one sentence") {
    CHECK(contains(error("clip = \"danse\"\n"), "did you mean 'dance'"));
    CHECK(contains(error("clip = \"polka\"\n"), "dance"));
    CHECK(contains(error("file = \"nobody.glb\"\n"), "nobody.glb"));
    CHECK(contains(error("kind = \"ghost\"\n"), "ghost"));
    CHECK(contains(error("[body.pose]\nleft_elbo = [0, 0, 0]\n"), "left_elbow"));
    CHECK(contains(error("[body.pose]\nleft_elbow = [0, 0]\n"), "left_elbow"));
    CHECK(contains(error("clip = \"dance\"\n[body.pose]\nwaist = [1, 0, 0]\n"), "pose"));
    CHECK(contains(error("[[body.clips]]\nname = \"a\"\nkeys = [{ time = 0 }]\n"), "at least two"));
    CHECK(contains(error("[[body.clips]]\nname = \"a\"\nkeys = [{ time = 0 }, { time = 0 }]\n"), "later"));
    CHECK(contains(error("[[body.clips]]\nname = \"a\"\nkeys = [{ time = 1 }, { time = 2 }]\n"), "must be 0"));
    CHECK(contains(error("[[colliders]]\nname = \"body\"\nshape = \"plane\"\n"), "rename"));
}

TEST_CASE("A cloth that falls on the shoulders of a body that moves stays outside of it") {
    Scene scene = parse_scene(R"(
[time]
frame_rate = 50
frames = 30
[cloth]
fabric = "cotton"
rows = 21
columns = 21
width = 0.6
height = 0.6
origin = [-0.3, 0.3, 1.80]
along_columns = [1, 0, 0]
along_rows = [0, -1, 0]
velocity = [0, 0, -1.5]
[body]
clip = "dance"
lead_in = 0.1
)",
                              "x.toml", ".");
    Simulation simulation(scene, parse_method("admm"));
    bool has_touched = false;
    for (int f = 0; f < scene.time.frames; ++f) {
        (void)simulation.advance_frame();
        const collision::PlacedCollider placed(simulation.world().colliders->front(), simulation.state().time);
        double nearest = 1;
        for (const auto& x : simulation.state().positions.rowwise())
            nearest = std::min(nearest, placed.shape().distance(Vector3(x)));
        CHECK(nearest > 0.0049);
        has_touched = has_touched || nearest < 0.0055;
    }
    CHECK(has_touched);
}

TEST_CASE("A character of a glTF file walks in a scene, and a cloth falls on it and stays outside") {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "hero.glb", std::ios::binary) << test::to_glb(test::gltf_character());
    const std::string body = "[body]\nfile = \"hero.glb\"\nclip = \"Walk\"\nlead_in = 0.1\n";
    const Scene empty = parse_scene("[cloth]\nmass = 1\n" + body, "x.toml", folder.path());
    const MovingBody hero(solid_of(empty));
    CHECK(hero.character().skeleton.find("Spine") >= 0);
    const Positions start = hero.positions_at(0);
    CHECK((hero.positions_at(0.7) - start).rowwise().norm().maxCoeff() > 0.1);
    const Vector3 low = start.colwise().minCoeff(), high = start.colwise().maxCoeff();
    const Scene scene =
        parse_scene(fmt::format(R"(
[time]
frame_rate = 50
frames = 40
[cloth]
fabric = "cotton"
rows = 21
columns = 21
width = 0.8
height = 0.8
origin = [{}, {}, {}]
along_columns = [1, 0, 0]
along_rows = [0, -1, 0]
velocity = [0, 0, -2]
{})",
                                (low.x() + high.x()) / 2 - 0.4, (low.y() + high.y()) / 2 + 0.4, high.z() + 0.05, body),
                    "x.toml", folder.path());
    Simulation simulation(scene, parse_method("admm"));
    bool has_touched = false;
    for (int f = 0; f < scene.time.frames; ++f) {
        (void)simulation.advance_frame();
        const collision::PlacedCollider placed(simulation.world().colliders->front(), simulation.state().time);
        for (const auto& x : simulation.state().positions.rowwise()) {
            const double distance = placed.shape().distance(Vector3(x));
            CHECK(distance > 0.0049);
            has_touched = has_touched || distance < 0.0055;
        }
    }
    CHECK(has_touched);
}
