// SPDX-License-Identifier: Apache-2.0
#include "tulle/live/live_simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/io/cache_reader.h"
#include "tulle/workflows/replay.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::live;

namespace {

const std::filesystem::path scenes = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes";

scene::Scene flag() { return scene::load_scene(scenes / "flag.toml"); }

// A corner of the flag that is not at its pole.
GrabInput corner_grab(const LiveSimulation& live, const Vector3& way) {
    const auto& triangles = live.simulation().model().mesh.triangles;
    const int last = static_cast<int>(triangles.rows()) - 1;
    const Vector3 place = live.simulation().state().positions.row(triangles(last, 0));
    return {.pointer = 0, .triangle = last, .weights = {1, 0, 0}, .target = place + way};
}

void advance(LiveSimulation& live, int frames) {
    for (int i = 0; i < frames; ++i) static_cast<void>(live.advance_frame());
}

}  // namespace

TEST_CASE("A simulation that nobody touches gives the bits of one that cannot be touched") {
    for (const char* method : {"admm", "hierarchy", "miniature", "mass_spring"}) {
        CAPTURE(method);
        LiveSimulation live(flag(), scene::parse_method(method));
        scene::Simulation plain(flag(), scene::parse_method(method));
        for (int i = 0; i < 5; ++i) {
            static_cast<void>(live.advance_frame());
            static_cast<void>(plain.advance_frame());
        }
        CHECK(live.simulation().state().positions == plain.state().positions);
    }
}

TEST_CASE("A hand pulls the corner of the flag in every kind of method") {
    for (const char* method : {"admm", "hierarchy", "miniature", "bilinear", "cascade", "mass_spring", "xpbd"}) {
        CAPTURE(method);
        const scene::Scene scene = scene::load_scene(
            scenes / (std::string(method) == "cascade" ? "flag-cascade.toml" : "flag.toml"), {"wind.velocity=[0,0,0]"});
        LiveSimulation held(scene, scene::parse_method(method)), free(scene, scene::parse_method(method));
        const GrabInput grab = corner_grab(held, {0, -0.5, 0.1});
        held.apply(grab);
        advance(held, 12);
        advance(free, 12);
        const int corner = held.simulation().model().mesh.triangles(grab.triangle, 0);
        const auto distance = [&](const LiveSimulation& live) {
            return (live.simulation().state().positions.row(corner).transpose() - grab.target).norm();
        };
        CHECK(distance(held) < distance(free) - 0.2);
    }
}

TEST_CASE("A hand holds up the corner of a cloth of force cells") {
    const scene::Scene scene = scene::load_scene(scenes / "corner-breeze.toml");
    const scene::Method method = scene::parse_method("force_cell");
    LiveSimulation held(scene, method), free(scene, method);
    const GrabInput grab = corner_grab(held, {0, 0.2, 0});
    const int corner = held.simulation().model().mesh.triangles(grab.triangle, 0);
    held.apply(grab);
    advance(held, 10);
    advance(free, 10);
    const auto height = [&](const LiveSimulation& live) { return live.simulation().state().positions(corner, 1); };
    CHECK(height(held) > height(free) + 0.1);  // y is up there
}

TEST_CASE("A restarted simulation gives the bits of a new one") {
    for (const char* method : {"admm", "hierarchy", "hierarchy+inextensible"}) {
        CAPTURE(method);
        LiveSimulation live(flag(), scene::parse_method(method)), fresh(flag(), scene::parse_method(method));
        advance(live, 4);
        live.restart();
        CHECK(live.frame() == 0);
        advance(live, 3);
        advance(fresh, 3);
        CHECK(live.simulation().state().positions == fresh.simulation().state().positions);
    }
}

TEST_CASE("A ball that is moved carries the cloth, and glides no faster than cloth can follow") {
    const scene::Scene scene = scene::load_scene(scenes / "collision.toml", {"cloth.rows=11", "cloth.columns=16"});
    LiveSimulation live(scene, scene::parse_method("admm"));
    CHECK(live.is_movable(0));
    CHECK_FALSE(live.is_movable(1));  // the floor
    advance(live, 20);
    live.apply(ColliderInput{"ball", {0, 0, 0.5}});
    advance(live, 1);
    const auto height = [&] { return (*live.simulation().world().colliders)[0].motion.at(1e9).translation().z(); };
    CHECK(height() == doctest::Approx(0.06));  // 3 m/s for 20 ms
    advance(live, 20);
    CHECK(height() == doctest::Approx(0.5));
    CHECK(live.simulation().state().positions.col(2).maxCoeff() > 1.2);  // the ball's top is at 1.3
    CHECK(test::contains(test::error_of([&] { live.apply(ColliderInput{"floor", {0, 0, 1}}); }), "floor"));
}

TEST_CASE("Inputs that do not fit are refused and change nothing") {
    LiveSimulation live(flag(), scene::parse_method("admm"));
    const auto refuses = [&](const Input& input) { CHECK_THROWS_AS(live.apply(input), Error); };
    refuses(GrabInput{.triangle = -1, .weights = {1, 0, 0}});
    refuses(GrabInput{.triangle = 1'000'000, .weights = {1, 0, 0}});
    refuses(GrabInput{.triangle = 0, .weights = {1, 1, 0}});
    refuses(WindInput{{std::nan(""), 0, 0}});
    refuses(RebuildInput{});
    CHECK(live.interaction().grabs.empty());
    CHECK_FALSE(live.interaction().wind_velocity);
}

TEST_CASE("A recording, written and read, replays to the same bits, also through a change of method and stiffness") {
    const test::TemporaryFolder folder;
    Recording recording{.scene = flag().text, .folder = flag().folder, .method = "admm", .frames = 14, .inputs = {}};
    LiveSimulation live(flag(), scene::parse_method("admm"));
    const auto act = [&](LiveSimulation& now, const Input& input) {
        now.apply(input);
        recording.inputs.push_back({now.frame(), input});
    };
    act(live, WindInput{{-4, 1.0 / 3, 0.1}});
    advance(live, 3);
    act(live, corner_grab(live, {0.1, 0.3, 0.2}));
    act(live, GravityInput{{0, 1, -3.3}});
    advance(live, 3);
    act(live, DragInput{0, {1.2, 0.7, 1.9}});
    advance(live, 2);
    const scene::Scene stiffer = scene::load_scene(scenes / "flag.toml", {"cloth.stretch.stiffness=170.5"});
    LiveSimulation next(stiffer, scene::parse_method("hierarchy"));
    next.go_on_from(live);
    recording.inputs.push_back({next.frame(), RebuildInput{stiffer.text, "hierarchy"}});
    advance(next, 3);
    act(next, ReleaseInput{0});
    advance(next, 3);
    CHECK(next.frame() == 14);

    write_recording(recording, folder.path() / "pulled.inputs.json");
    const workflows::SimulateReport report =
        workflows::replay(read_recording(folder.path() / "pulled.inputs.json"), {.cache = folder.path() / "again.h5"});
    CHECK(report.frames == 14);
    const io::CacheReader cache(folder.path() / "again.h5");
    CHECK(cache.checkpoint()->positions == next.simulation().state().positions);
    CHECK(cache.checkpoint()->velocities == next.simulation().state().velocities);
    const Recording beside = read_recording(folder.path() / "again.h5");
    CHECK(to_text(beside) == to_text(recording));
}

TEST_CASE("A damaged recording is refused in a sentence") {
    const std::string sound = to_text({.scene = "x", .folder = "y", .method = "admm", .frames = 2, .inputs = {}});
    CHECK_NOTHROW(static_cast<void>(parse_recording(sound, "file")));
    for (
        const std::string text :
        {"", "{", "[]", R"({"format":"other"})", R"({"format":"tulle-inputs","version":2})",
         R"({"format":"tulle-inputs","version":1,"scene":"","folder":"","method":"","frames":1,"inputs":[{"frame":1,"type":"fly"}]})",
         R"({"format":"tulle-inputs","version":1,"scene":"","folder":"","method":"","frames":1,"inputs":[{"frame":1,"type":"wind","velocity":[1,2]}]})"})
        test::error_naming("file", [&] { static_cast<void>(parse_recording(text, "file")); });
}
