// SPDX-License-Identifier: Apache-2.0
// The scenes with contact, whole, judged on every frame by a check that shares no code with the contact pass.
#include "tulle/collision/intersections.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tulle;

namespace {

// The sanitizers make a frame tens of times as long: a tenth of the frames is what they have time for.
#ifdef __SANITIZE_ADDRESS__
constexpr int part_of_frames = 10;
#else
constexpr int part_of_frames = 1;
#endif

void check_every_frame(const std::string& name) {
    const std::filesystem::path file = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes" / (name + ".toml");
    const scene::Scene scene = scene::load_scene(file);
    scene::Simulation simulation(scene, scene::parse_method(scene.method));
    const collision::Colliders& colliders = *simulation.world().colliders;
    const int frames = scene.time.frames / part_of_frames;
    int touching = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        const physics::StepReport report = simulation.advance_frame();
        const physics::ClothState& state = simulation.state();
        CAPTURE(frame);
        CHECK(report.counters.of("unresolved_contacts") == 0);
        CHECK(collision::find_crossings(state.positions, simulation.model().mesh.triangles).empty());
        CHECK(collision::find_deep_vertices(state.positions, colliders, state.time, 1e-6).empty());
        if (report.stages.contains("self_collision") || report.stages.contains("colliders")) ++touching;
    }
    CHECK(touching == frames);
}

}  // namespace

TEST_CASE("In collision no vertex is inside the sphere and no cloth passes through itself, on any frame") {
    check_every_frame("collision");
}
TEST_CASE("In twist no cloth passes through itself, on any frame") { check_every_frame("twist"); }
TEST_CASE("In ball-drop no vertex is inside the ball and no cloth passes through itself, on any frame") {
    check_every_frame("ball-drop");
}
TEST_CASE("In deforming-ball no vertex is inside the ball and no cloth passes through itself, on any frame") {
    check_every_frame("deforming-ball");
}
TEST_CASE("In drape-mesh no vertex is inside the table and no cloth passes through itself, on any frame") {
    check_every_frame("drape-mesh");
}
