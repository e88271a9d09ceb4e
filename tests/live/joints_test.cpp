// SPDX-License-Identifier: Apache-2.0
// Joints of a body that a person turns while it runs.
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/io/cache_reader.h"
#include "tulle/live/live_simulation.h"
#include "tulle/workflows/replay.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::live;

namespace {

const std::filesystem::path scenes = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes";

scene::Scene shirt() { return scene::load_scene(scenes / "shirt.toml"); }

// A small cloth that falls onto the left arm of the mannequin.
scene::Scene towel() {
    return scene::parse_scene(R"(
method = "admm"
[time]
frame_rate = 30
[cloth]
kind = "grid"
rows = 7
columns = 7
height = 0.3
width = 0.3
origin = [0.25, -0.15, 1.35]
along_columns = [1, 0, 0]
along_rows = [0, 1, 0]
mass = 0.0005
[body]
friction = 1
)",
                              "towel.toml", ".");
}

void advance(LiveSimulation& live, int frames) {
    for (int i = 0; i < frames; ++i) static_cast<void>(live.advance_frame());
}

Positions body_of(const LiveSimulation& live) {
    const scene::Simulation& simulation = live.simulation();
    for (const collision::Collider& collider : *simulation.world().colliders)
        if (collider.deforming) return collider.deforming->positions_at(simulation.state().time);
    FAIL("the scene has no body");
    return {};
}

double farthest(const Positions& a, const Positions& b) { return (a - b).rowwise().norm().maxCoeff(); }

const JointInput raised{"left_shoulder", {0, 1, 0}};

}  // namespace

TEST_CASE("A joint that is turned lifts the arm no faster than cloth can follow, and its sleeve") {
    LiveSimulation live(shirt(), scene::parse_method("garment")), still(shirt(), scene::parse_method("garment"));
    const Positions start = body_of(live);
    live.apply(raised);
    CHECK(body_of(live) == start);
    advance(live, 1);
    CHECK(farthest(body_of(live), start) < 0.1);  // 2 rad/s for a thirtieth of a second, times the arm's length
    advance(live, 17);
    advance(still, 18);
    CHECK(body_of(still) == start);
    CHECK(farthest(body_of(live), start) > 0.4);  // the hand
    CHECK(farthest(live.simulation().state().positions, still.simulation().state().positions) > 0.1);
    live.apply(JointInput{"left_shoulder", Vector3::Zero()});
    advance(live, 18);
    CHECK(body_of(live) == start);
}

TEST_CASE("A cloth that is simulated is lifted by the arm it lies on") {
    LiveSimulation live(towel(), scene::parse_method("admm")), still(towel(), scene::parse_method("admm"));
    live.apply(raised);
    advance(live, 15);
    advance(still, 15);
    const auto height = [](const LiveSimulation& l) { return l.simulation().state().positions.col(2).mean(); };
    CHECK(height(live) > height(still) + 0.05);
}

TEST_CASE("Joints are turned on top of a clip") {
    const scene::Scene scene = scene::load_scene(scenes / "shirt-dance.toml", {"body.lead_in=0"});
    LiveSimulation live(scene, scene::parse_method("garment")), plain(scene, scene::parse_method("garment"));
    live.apply(raised);
    advance(live, 20);
    advance(plain, 20);
    CHECK(farthest(body_of(live), body_of(plain)) > 0.4);
    live.restart();
    plain.restart();
    CHECK(body_of(live) == body_of(plain));  // a body begins where its clip begins,
    advance(live, 20);
    advance(plain, 20);
    CHECK(farthest(body_of(live), body_of(plain)) > 0.4);  // and what was set stays
}

TEST_CASE("Joints that are not there, or do not turn so far, are refused") {
    LiveSimulation live(shirt(), scene::parse_method("garment"));
    const auto refusal = [&](const JointInput& input) { return test::error_of([&] { live.apply(input); }); };
    CHECK(test::contains(refusal({"left_wing", {0, 0, 0}}), "left_wing"));
    CHECK(test::contains(refusal({"left_elbow", {3, 0, 0}}), "so far"));
    CHECK(test::contains(refusal({"left_elbow", {1, 0.5, 0}}), "so far"));  // an elbow does not spread
    CHECK(test::contains(refusal({"left_elbow", {std::nan(""), 0, 0}}), "finite"));
    LiveSimulation flag(scene::load_scene(scenes / "flag.toml"), scene::parse_method("bilinear"));
    CHECK(test::contains(test::error_of([&] { flag.apply(raised); }), "left_shoulder"));
}

TEST_CASE("Turned joints replay to the same bits, also through a change of method") {
    const test::TemporaryFolder folder;
    Recording recording{.scene = towel().text, .folder = ".", .method = "admm", .frames = 12, .inputs = {}};
    LiveSimulation live(towel(), scene::parse_method("admm")), next(towel(), scene::parse_method("admm:5"));
    advance(live, 3);
    live.apply(raised);
    recording.inputs.push_back({3, raised});
    advance(live, 4);
    next.go_on_from(live);
    CHECK(body_of(next) == body_of(live));
    recording.inputs.push_back({7, RebuildInput{towel().text, "admm:5"}});
    advance(next, 2);
    const JointInput bent{"left_elbow", {1.0 / 3, 0, -0.1}};
    next.apply(bent);
    recording.inputs.push_back({9, bent});
    advance(next, 3);
    CHECK(next.settings().size() == 2);

    write_recording(recording, folder.path() / "turned.inputs.json");
    static_cast<void>(
        workflows::replay(read_recording(folder.path() / "turned.inputs.json"), {.cache = folder.path() / "again.h5"}));
    const io::CacheReader cache(folder.path() / "again.h5");
    CHECK(cache.checkpoint()->positions == next.simulation().state().positions);
    CHECK(cache.collider_positions(0, 12) == body_of(next).cast<float>().cast<double>());
}
