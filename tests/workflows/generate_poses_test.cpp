// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate_poses.h"

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/body/mannequin.h"
#include "tulle/body/random_angles.h"
#include "tulle/collision/closed_mesh.h"
#include "tulle/collision/posed_mesh.h"
#include "tulle/core/parallel.h"
#include "tulle/io/cache_reader.h"
#include "tulle/workflows/make_garment.h"
#include "tulle/workflows/poses_as_cache.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <set>

using namespace tulle;
using namespace tulle::workflows;
namespace fs = std::filesystem;

namespace {

// A coarse T-shirt, sewn and draped once.
struct Wardrobe {
    test::TemporaryFolder folder;
    GarmentReport shirt;

    Wardrobe() {
        shirt = make_garment({.folder = folder.path(), .spacing = 0.024, .restful_speed = 1e-4});
        std::ofstream(folder / "shirt.toml") << R"(
name = "shirt"
[garment]
file = "t-shirt.obj"
rest = "t-shirt-pattern.obj"
[cloth]
fabric = "cotton"
[cloth.membrane]
stretch = 1200
[body]
[self_contact]
enabled = true
thickness = 0.004
)";
    }
    GeneratePosesSettings settings(const std::string& name, int poses) const {
        return {.scene = folder / "shirt.toml", .folder = folder / name, .poses = poses};
    }
};

const Wardrobe& wardrobe() {
    static const Wardrobe made;
    return made;
}

}  // namespace

TEST_CASE("A T-shirt that was sewn and draped lies still on the mannequin, whole and outside of it") {
    const GarmentReport& shirt = wardrobe().shirt;
    CHECK(shirt.mean_speed <= 1e-4);
    CHECK(shirt.crossings == 0);
    CHECK(shirt.cuts == 0);
    CHECK(shirt.longest < 1.2);
}

TEST_CASE("Poses are within the limits of their joints and differ from seed to seed") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    std::set<double> drawn;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        for (const auto& [name, angles] : body::random_angles(skeleton, body::mannequin_upper_joints(), seed)) {
            const body::JointLimits& limits = skeleton.joints[static_cast<size_t>(skeleton.find(name))].limits;
            for (int k = 0; k < 3; ++k) {
                CHECK(angles(k) >= limits.low(k));
                CHECK(angles(k) <= limits.high(k));
            }
            if (name == "left_elbow") drawn.insert(angles(0));
        }
    CHECK(drawn.size() == 50);
}

TEST_CASE("Within a share of the limits a pose is the same, with its angles multiplied by that share") {
    const body::Skeleton skeleton = body::mannequin_skeleton();
    const auto whole = body::random_angles(skeleton, body::mannequin_upper_joints(), 7);
    const auto half = body::random_angles(skeleton, body::mannequin_upper_joints(), 7, 0.5);
    for (size_t j = 0; j < whole.size(); ++j) CHECK((half[j].second - 0.5 * whole[j].second).norm() < 1e-15);
}

TEST_CASE("Garments at rest on random poses have the same bits however many are made at once, and are not made twice") {
    for (const int jobs : {1, 2}) {
        GeneratePosesSettings settings = wardrobe().settings("by" + std::to_string(jobs), 3);
        settings.jobs = jobs;
        const GeneratePosesReport report = generate_poses(settings);
        CHECK(report.poses == 3);
        CHECK(report.made == 3);
        CHECK(report.worst_mean_speed <= settings.drape.restful_speed);
        CHECK(generate_poses(settings).made == 0);
    }
    for (const char* name : {"0000.h5", "0001.h5", "0002.h5"}) {
        const io::DrapedPose one = io::read_draped_pose(wardrobe().folder / "by1" / name);
        const io::DrapedPose two = io::read_draped_pose(wardrobe().folder / "by2" / name);
        CHECK(one.positions == two.positions);
        CHECK(one.seed == two.seed);
    }
    GeneratePosesSettings other = wardrobe().settings("by1", 3);
    other.seed = 2;
    CHECK(test::contains(test::error_of([&] { (void)generate_poses(other); }), "another scene, seed or share"));
    GeneratePosesSettings narrow = wardrobe().settings("by1", 3);
    narrow.within = 0.5;
    CHECK(test::contains(test::error_of([&] { (void)generate_poses(narrow); }), "another scene, seed or share"));
}

TEST_CASE("A generation of poses that is stopped goes on where it stopped, to the same bits") {
    GeneratePosesSettings settings = wardrobe().settings("stopped", 3);
    settings.jobs = 1;
    settings.on_pose = [](long done, long) { return done < 2; };
    const GeneratePosesReport first = generate_poses(settings);
    CHECK(first.stopped);
    CHECK(first.poses == 2);
    settings.on_pose = {};
    CHECK(generate_poses(settings).made == 1);
    settings.folder = wardrobe().folder / "at-once";
    (void)generate_poses(settings);
    CHECK(io::read_draped_pose(wardrobe().folder / "stopped" / "0002.h5").positions ==
          io::read_draped_pose(wardrobe().folder / "at-once" / "0002.h5").positions);
}

TEST_CASE("As a cache poses are one frame each, with the body in that pose under the garment") {
    const GeneratePosesSettings settings = wardrobe().settings("shown", 2);
    (void)generate_poses(settings);
    const fs::path file = wardrobe().folder / "shown.h5";
    write_poses_as_cache(settings, file);
    const io::CacheReader cache(file);
    REQUIRE(cache.frame_count() == 2);
    REQUIRE(cache.header().colliders.size() == 1);
    for (const int index : {0, 1}) {
        const io::DrapedPose pose = io::read_draped_pose(settings.folder / ("000" + std::to_string(index) + ".h5"));
        CHECK(cache.positions(index) == pose.positions.cast<double>());
        const Positions body = cache.collider_positions(0, index);
        const collision::ClosedTopology topology(
            collision::closed_mesh({body, cache.header().colliders[0].triangles, {}}));
        const collision::PosedMesh skin(topology, body);
        double deepest = 0, farthest = 0;
        for (const auto& row : pose.positions.rowwise()) {
            const double distance = skin.distance(row.cast<double>());
            deepest = std::min(deepest, distance);
            farthest = std::max(farthest, distance);
        }
        CHECK(deepest > -1e-3);
        CHECK(farthest < 0.4);
    }
    CHECK(test::contains(test::error_of([&] { write_poses_as_cache(settings, settings.folder / "all.h5"); }),
                         "among the poses"));
    fs::remove(settings.folder / "0001.h5");
    CHECK(test::contains(test::error_of([&] { write_poses_as_cache(settings, file); }), "0001.h5"));
}

TEST_CASE("A draping that is stopped is not taken for a sound one") {
    const DrapedBody body(scene::load_scene(wardrobe().folder / "shirt.toml"));
    const auto angles = body::random_angles(body.character().skeleton, body::mannequin_upper_joints(), 1);
    int steps = 0;
    CHECK(body.drape(angles, {}, [&] { return ++steps < 3; }).fault == DrapeFault::Stopped);
    CHECK(steps == 3);
}

TEST_CASE("A garment that cannot come to rest in time is never kept") {
    GeneratePosesSettings settings = wardrobe().settings("restless", 1);
    settings.drape = {.reach_steps = 2, .most_steps = 1, .restful_speed = 1e-9};
    CHECK(test::contains(test::error_of([&] { (void)generate_poses(settings); }), "not sound"));
    CHECK_FALSE(fs::exists(wardrobe().folder / "restless" / "0000.h5"));
}

TEST_CASE("A garment that is stiff until it is in the pose hardly minds how fast the body went there") {
    const DrapedBody body(scene::load_scene(wardrobe().folder / "shirt.toml"));
    const auto apart = [&](DrapeSettings settings) {  // [m]
        double squares = 0;
        for (const std::uint64_t seed : {1, 2, 3}) {
            const auto angles = body::random_angles(body.character().skeleton, body::mannequin_upper_joints(), seed);
            settings.reach_steps = 40;
            const Positions first = body.drape(angles, settings).positions;
            settings.reach_steps = 44;
            squares += (body.drape(angles, settings).positions - first).rowwise().squaredNorm().mean() / 3;
        }
        return std::sqrt(squares);
    };
    const double stiff = apart({}), soft = apart({.stiffening = 1, .calm_steps = 0, .soften_steps = 0});
    CHECK(stiff < 0.006);
    CHECK(stiff < 0.7 * soft);
}

TEST_CASE("A scene without a body or without a garment has no poses") {
    const auto refusal = [](const std::string& text) {
        return test::error_of([&] { DrapedBody body(scene::parse_scene(text, "it", wardrobe().folder.path())); });
    };
    CHECK(test::contains(refusal("[cloth]\nfabric = \"cotton\"\n[body]\n"), "no [garment]"));
}
