// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/force_cell_family.h"

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/collision/intersections.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tulle;
using namespace tulle::scene;
using test::contains;
using test::error_of;
using test::TemporaryFolder;

namespace {

const std::filesystem::path scenes = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes";
const Method cell_method = {.name = "force_cell", .variant = {}};
const Method physics_method = {.name = "mass_spring", .variant = {}};

// A sixteenth of the particles of a scene, each of sixteen times the mass, can take steps four times as long.
Overrides small() {
    return {"cloth.rows=32",       "cloth.columns=32",     "cloth.mass=16",
            "cloth.width=0.96875", "cloth.height=0.96875", "solver.mass_spring.steps_per_frame=16"};
}

Positions last_frame(const Scene& scene, const Method& method, int frames) {
    Simulation simulation(scene, method);
    for (int f = 0; f < frames; ++f) static_cast<void>(simulation.advance_frame());
    return simulation.state().positions;
}

double distance(const Positions& a, const Positions& b) { return (a - b).rowwise().norm().mean(); }

}  // namespace

TEST_CASE("The shipped cell follows physics on other grids, with pins, pressure and contact that it was never taught") {
    for (const std::string name : {"pinned-fall", "blow-up", "corner-breeze", "ball-drop", "ball-drape"}) {
        CAPTURE(name);
        const Scene scene = load_scene(scenes / (name + ".toml"), small());
        const int frames = name.starts_with("ball") ? 15 : 8;
        const Positions truth = last_frame(scene, physics_method, frames);
        CHECK(distance(last_frame(scene, cell_method, frames), truth) < 1e-6);
        CHECK(distance(make_model(scene).start_positions, truth) > 0.01);
    }
}

TEST_CASE("Self-contact works with the cell in the loop: without it folds pass through each other, with it none does") {
    const auto crossings = [](const char* enabled) {
        const Scene scene = load_scene(scenes / "twist.toml", {std::string("self_contact.enabled=") + enabled});
        Simulation simulation(scene, cell_method);
        size_t found = 0;
        for (int f = 0; f < 100; ++f) {
            static_cast<void>(simulation.advance_frame());
            if (f >= 60)
                found +=
                    collision::find_crossings(simulation.state().positions, simulation.model().mesh.triangles).size();
        }
        return found;
    };
    CHECK(crossings("true") == 0);
    CHECK(crossings("false") > 0);
}

TEST_CASE("A cell says what it does at another material or step, or keeps the material it was taught") {
    const Scene usual = load_scene(scenes / "pinned-fall.toml");
    CHECK(Simulation(usual, cell_method).note().empty());
    const Scene softer = load_scene(scenes / "pinned-fall.toml",
                                    {"cloth.stretch.stiffness=5000", "solver.mass_spring.steps_per_frame=80"});
    const std::string note = Simulation(softer, cell_method).note();
    CHECK(contains(note, "scaled to the scene's"));
    CHECK(contains(note, "steps of 0.00025 s"));
    const Scene stubborn = load_scene(scenes / "pinned-fall.toml",
                                      {"cloth.stretch.stiffness=5000", "solver.force_cell.material='trained'"});
    CHECK(contains(Simulation(stubborn, cell_method).note(), "keeps it"));
    CHECK(distance(last_frame(stubborn, cell_method, 3), last_frame(usual, cell_method, 3)) == 0);
    CHECK(distance(last_frame(softer, cell_method, 3), last_frame(usual, cell_method, 3)) > 1e-5);
}

TEST_CASE("A cloth with a hole falls by the cell as by physics, and what is in the hole stays") {
    Overrides overrides = small();
    overrides.push_back("cloth.holes=[[10,14,8,20]]");
    const Scene scene = load_scene(scenes / "pinned-fall.toml", overrides);
    const physics::ClothModel model = make_model(scene);
    CHECK(model.mesh.triangles.rows() < 2 * 31 * 31);
    const Positions truth = last_frame(scene, physics_method, 10);
    CHECK(distance(last_frame(scene, cell_method, 10), truth) < 1e-6);
    const int inside = model.grid->index(12, 12);
    CHECK(truth.row(inside) == model.start_positions.row(inside));
    CHECK(std::abs(truth(model.grid->index(18, 12), 1)) > 0.01);
}

TEST_CASE("Holes outside of the grid are refused, and so is upscaling a cloth that has some") {
    CHECK(contains(error_of([] { load_scene(scenes / "pinned-fall.toml", {"cloth.holes=[[0,200,0,1]]"}); }), "holes"));
    const Scene scene = load_scene(scenes / "flag.toml", {"cloth.holes=[[4,8,4,8]]"});
    CHECK(contains(error_of([&] { Simulation(scene, parse_method("bicubic")); }), "holes"));
}

TEST_CASE("With weights of another method, or on a mesh, the cell is refused with a reason") {
    const auto refusal = [](const Scene& scene) { return error_of([&] { Simulation(scene, cell_method); }); };
    CHECK(
        contains(refusal(load_scene(scenes / "pinned-fall.toml",
                                    {"solver.force_cell.weights='../models/miniature-flag-x2-canonical.safetensors'"})),
                 "miniature"));
    CHECK(contains(refusal(load_scene(scenes / "drape-mesh.toml")), "grids"));
}
