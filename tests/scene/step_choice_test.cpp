// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/step_choice.h"

#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tulle;
using namespace tulle::scene;

namespace {

// 33×33 vertices, 2.5 cm apart along rows and columns and 3.5 cm along diagonals.
Scene scene_of(const std::string& name, const Overrides& overrides = {}) {
    return load_scene(std::filesystem::path(TULLE_SOURCE_DIR) / "scenes" / (name + ".toml"), overrides);
}

// A scene that does not say how many steps a frame takes.
Scene open_scene(const std::string& name) {
    Scene scene = scene_of(name);
    for (auto& [method, section] : scene.solvers) section.steps_per_frame.reset();
    return scene;
}

}  // namespace

TEST_CASE("The faster a cloth, a pin or a collider moves, the more steps a frame with contact takes") {
    const Scene scene = open_scene("blade");
    const physics::ClothModel model = make_model(scene);
    const physics::World world = make_world(scene);
    const StepChoice choice(model, world, scene.time.frame_time(), fewest_steps(scene));
    physics::ClothState state = initial_state(scene, model);
    CHECK(choice.steps(state) == 4);  // nothing moves yet
    state.velocities.row(5) << 0, 0, 1.2;
    CHECK(choice.steps(state) == 4);
    state.velocities.row(5) << 0, 0, 2.4;  // 48 mm a frame, an edge is 28 mm on average
    CHECK(choice.steps(state) == 8);
    state.velocities.row(5) << 0, 0, 1e9;
    CHECK(choice.steps(state) == 64);
    state.velocities.setZero();
    state.time = 0.12;  // the blade moves at 5 m/s
    CHECK(choice.steps(state) == 16);
}

TEST_CASE("A scene that says how many steps it takes, or has no contact, takes so many") {
    const Simulation fixed(scene_of("blade"), parse_method("admm"));
    CHECK(fixed.steps_per_frame() == 4);
    const Simulation chosen(open_scene("propeller"), parse_method("admm"));
    CHECK(chosen.steps_per_frame() == 4);
    const Simulation free(open_scene("flag-small"), parse_method("admm"));
    CHECK(free.steps_per_frame() == 1);
}

TEST_CASE("A run with chosen steps that is continued from one of its frames has the same bits") {
    Simulation whole(open_scene("propeller"), parse_method("admm"));
    for (int frame = 0; frame < 12; ++frame) (void)whole.advance_frame();
    const physics::ClothState middle = whole.state();
    const std::vector<std::byte> memory = whole.memory();
    CHECK(whole.steps_per_frame() > 4);
    for (int frame = 0; frame < 4; ++frame) (void)whole.advance_frame();
    Simulation rest(open_scene("propeller"), parse_method("admm"));
    rest.resume_from(middle, memory);
    for (int frame = 0; frame < 4; ++frame) (void)rest.advance_frame();
    CHECK(rest.state().positions == whole.state().positions);
    CHECK(rest.state().velocities == whole.state().velocities);
}
