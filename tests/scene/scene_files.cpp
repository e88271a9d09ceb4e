// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace tulle;
namespace fs = std::filesystem;

namespace {

const fs::path scenes = fs::path(TULLE_SOURCE_DIR) / "scenes";

std::vector<fs::path> all_scenes() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(scenes))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

physics::ClothModel model_of(const std::string& name) { return make_model(scene::load_scene(scenes / name)); }

}  // namespace

TEST_CASE("Every scene file loads, builds and is called like its file") {
    const std::vector<fs::path> paths = all_scenes();
    CHECK(paths.size() >= 14);
    for (const fs::path& path : paths) {
        CAPTURE(path.string());
        const scene::Scene scene = scene::load_scene(path);
        CHECK(scene.name == path.stem().string());
        CHECK_FALSE(scene.description.empty());
        const physics::ClothModel model = make_model(scene);
        const physics::World world = make_world(scene);
        const physics::ClothState state = initial_state(scene, model);
        CHECK(state.positions.rows() == model.vertex_count());
        CHECK(state.positions.allFinite());
        CHECK(world.colliders->size() == scene.colliders.size());
        CHECK(scene::steps_per_frame(scene, model, scene::parse_method(scene.method)) >= 1);
    }
}

TEST_CASE("The scenes have the particles and springs the papers say") {
    const physics::ClothModel flag = model_of("flag.toml");
    CHECK(flag.vertex_count() == 3577);
    CHECK(flag.springs.count() == 20854);
    CHECK(flag.springs.rest_lengths.minCoeff() == test::near(0.025));
    CHECK(model_of("flag-small.toml").vertex_count() == 33 * 49);
    CHECK(model_of("curtain.toml").pins.front().vertices == std::vector<int>{0, 12, 24, 36, 48, 60, 72});
    CHECK(model_of("cloth.toml").vertex_count() == 925);
    CHECK(model_of("collision.toml").vertex_count() == 41 * 61);
    CHECK(model_of("tower.toml").vertex_count() == 222145);
}

TEST_CASE("Both flags weigh the same for each square metre") {
    const auto areal_density = [](const physics::ClothModel& model) {
        return model.masses(model.grid->columns + 1) / std::pow(model.springs.rest_lengths.minCoeff(), 2);
    };
    CHECK(areal_density(model_of("flag.toml")) == test::near(0.8));
    CHECK(areal_density(model_of("flag-small.toml")) == test::near(0.8));
}

TEST_CASE("The force-cell scenes have the step, spacing and stiffness of the paper's scripts") {
    for (const char* name :
         {"pinned-fall.toml", "blow-up.toml", "corner-breeze.toml", "ball-drop.toml", "ball-drape.toml"}) {
        CAPTURE(name);
        const scene::Scene scene = scene::load_scene(scenes / name);
        const physics::ClothModel model = make_model(scene);
        const int steps = steps_per_frame(scene, model, scene::parse_method(scene.method));
        CHECK(scene.time.frame_time() / steps == test::near(0.04 / 128).epsilon(1e-12));
        CHECK(model.springs.rest_lengths.minCoeff() == test::near(1.0 / 128).epsilon(1e-12));
        CHECK(model.masses.isOnes());
        const double Y = std::string(name).starts_with("ball-") ? 3e4 : 1e4;
        const VectorX products = model.springs.stiffness.cwiseProduct(model.springs.rest_lengths);
        CHECK(products.isApproxToConstant(Y, 1e-12));
    }
}

TEST_CASE("The blow-up scene's pressure pushes against gravity and outweighs it") {
    const scene::Scene scene = scene::load_scene(scenes / "blow-up.toml");
    const physics::ClothModel model = make_model(scene);
    const physics::World world = make_world(scene);
    const physics::ClothState state = initial_state(scene, model);
    Forces forces = Forces::Zero(model.vertex_count(), 3);
    for (const auto& force : physics::make_forces(world, model)) force->add_to(forces, state);
    const int middle = model.grid->index(64, 64);
    // The script: p = 3e6/16 on four corner cross products of area h², against a unit weight of 9.8 N.
    CHECK(forces(middle, 1) == test::near(4 * 3e6 / 16 / (128.0 * 128.0) - 9.8));
}

TEST_CASE("The ball of ball-drop and of ball-drape leaves 0.95 of the sliding velocity in each step") {
    for (const char* name : {"ball-drop.toml", "ball-drape.toml"})
        CHECK(std::exp(-scene::load_scene(scenes / name).colliders.front().contact_drag * 0.04 / 128) ==
              test::near(0.95).epsilon(1e-6));
}
