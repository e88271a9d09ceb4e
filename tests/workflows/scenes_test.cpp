// SPDX-License-Identifier: Apache-2.0
// The scenes with contact, judged on every frame by checks that share no code with the contact pass: whether it kept
// the cloth out of everything, and whether there was anything to keep it out of.
#include "tests/workflows/touching.h"
#include "tulle/collision/intersections.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

using namespace tulle;

namespace {

// The sanitizers make a frame tens of times as long: a tenth of the frames is what they have time for.
#ifdef __SANITIZE_ADDRESS__
constexpr int part_of_frames = 10;
#else
constexpr int part_of_frames = 1;
#endif
constexpr bool whole = part_of_frames == 1;

scene::Scene scene_of(const std::string& name, const scene::Overrides& overrides = {}) {
    return scene::load_scene(std::filesystem::path(TULLE_SOURCE_DIR) / "scenes" / (name + ".toml"), overrides);
}

// A quarter of the particles, each of four times the mass, can take steps twice as long.
scene::Overrides half_as_fine_ball_drape(double height) {
    return {"cloth.rows=64", "cloth.columns=64", "cloth.mass=4", "solver.mass_spring.steps_per_frame=32",
            fmt::format("cloth.origin=[-0.49609375,{},-0.49609375]", height)};
}

struct Contact {
    int frames = 0;
    int first = 0;   // frame; 0: none
    int layers = 0;  // frames in which the cloth touched itself
    int first_layers = 0;
    int colliders = 0;  // frames in which a vertex touched a collider
    double moved = 0;   // [m] farthest that a vertex was from where it started
};

double longest_edge(const geometry::TriangleMesh& mesh) {
    double longest = 0;
    for (const auto& triangle : mesh.triangles.rowwise())
        for (int corner = 0; corner < 3; ++corner)
            longest = std::max(
                longest,
                (mesh.positions.row(triangle(corner)) - mesh.positions.row(triangle((corner + 1) % 3))).norm());
    return longest;
}

// Triangles of the cloth that cut the surface of a collider as it is exported and drawn.
long cuts(const Positions& positions, const Triangles& triangles, const collision::Colliders& colliders, double time) {
    size_t count = 0;
    for (const collision::Collider& collider : colliders) {
        const collision::PlacedCollider placed(collider, time);
        geometry::TriangleMesh mesh = placed.shape().to_mesh();
        for (auto row : mesh.positions.rowwise()) row = (placed.to_world() * Vector3(row)).transpose();
        count += collision::find_cuts(positions, triangles, mesh).size();
    }
    return static_cast<long>(count);
}

// Nothing may pass through anything on any of the frames; returns how often it was about to.
Contact judge(const scene::Scene& scene, int frames) {
    scene::Simulation simulation(scene, scene::parse_method(scene.method));
    const collision::Colliders& colliders = *simulation.world().colliders;
    const geometry::TriangleMesh& mesh = simulation.model().mesh;
    const double apart = 4 * longest_edge(mesh), touching = 1.1 * scene.self_contact.thickness;
    Contact contact{.frames = frames / part_of_frames};
    const Positions start = simulation.state().positions;
    for (int frame = 1; frame <= contact.frames; ++frame) {
        const physics::StepReport report = simulation.advance_frame();
        const physics::ClothState& state = simulation.state();
        CAPTURE(frame);
        CHECK(report.counters.of("unresolved_contacts") == 0);
        CHECK(collision::find_crossings(state.positions, mesh.triangles).empty());
        CHECK(collision::find_deep_vertices(state.positions, colliders, state.time, 1e-6).empty());
        CHECK(cuts(state.positions, mesh.triangles, colliders, state.time) == 0);
        contact.moved = std::max(contact.moved, (state.positions - start).rowwise().norm().maxCoeff());
        if (test::vertices_at_colliders(state.positions, colliders, state.time, 1e-4) > 0 && ++contact.colliders == 1)
            contact.first = frame;
        if (test::vertices_at_other_layers(state.positions, mesh.positions, mesh.triangles, touching, apart) > 0 &&
            ++contact.layers == 1)
            contact.first_layers = frame;
    }
    return contact;
}

// It falls freely over `height` [m], a little longer in air, and lies on the collider from then on.
void check_fall(const Contact& contact, double height) {
    const double frames_of_fall = 50 * std::sqrt(2 * height / 9.81);
    if (contact.frames < frames_of_fall + 2) return;
    CHECK(contact.first >= std::floor(frames_of_fall));
    CHECK(contact.first <= frames_of_fall + 2);
    CHECK(contact.colliders == contact.frames - contact.first + 1);
}

}  // namespace

TEST_CASE("In drape no triangle of the cloth cuts the table's edges, on any frame") {
    check_fall(judge(scene_of("drape"), 150), 0.8 - 0.7 - 0.005);
}

TEST_CASE("A thin blade that strikes a hanging cloth edge first cuts no triangle of it, on any frame") {
    const Contact contact = judge(scene_of("blade"), 60);
    if (whole) CHECK(contact.moved > 0.25);  // carried along, although hardly a vertex touched
}

TEST_CASE("A sharp pyramid that rises through a cloth cuts no triangle of it, on any frame") {
    const Contact contact = judge(scene_of("spike"), 100);
    if (whole) CHECK(contact.colliders > 70);
}

TEST_CASE("A beam and a thin rod that turn fast cut no triangle of the cloth on them, on any frame") {
    const Contact contact = judge(scene_of("propeller"), 80);
    if (whole) CHECK(contact.colliders > 60);
}

TEST_CASE("In collision no vertex is inside the sphere and no cloth passes through itself, on any frame") {
    const Contact contact = judge(scene_of("collision"), 200);
    check_fall(contact, 1.0 - 0.8 - 0.005);
    if (whole) CHECK(contact.layers > 40);  // it folds on the floor
}

TEST_CASE("In twist no cloth passes through itself, on any frame") {
    const Contact contact = judge(scene_of("twist"), 250);
    if (!whole) return;
    // The edges are half a turn apart after 67 frames, and turn on for two more.
    CHECK(contact.first_layers > 50);
    CHECK(contact.first_layers < 80);
    CHECK(contact.layers > 160);
}

TEST_CASE("In ball-drape no vertex is inside the ball and no cloth passes through itself until it first folds") {
    const Contact contact = judge(scene_of("ball-drape"), 24);
    check_fall(contact, 0.6 - 0.3 - 0.002);
    if (whole) CHECK(contact.layers > 0);
}

// The whole scene takes more than a minute.
TEST_CASE(
    "In a ball-drape half as fine no vertex is inside the ball and no cloth passes through itself, on any frame") {
    check_fall(judge(scene_of("ball-drape", half_as_fine_ball_drape(0.6)), 150), 0.6 - 0.3 - 0.002);
}

TEST_CASE("In deforming-ball no vertex is inside the ball and no cloth passes through itself, on any frame") {
    const Contact contact = judge(scene_of("deforming-ball"), 150);
    if (whole) CHECK(contact.colliders > 100);
}

TEST_CASE("In drape-mesh no vertex is inside the table and no cloth passes through itself, on any frame") {
    check_fall(judge(scene_of("drape-mesh"), 150), 0.8 - 0.72 - 0.004);
}

TEST_CASE("Cloths that start 5 m higher are still falling and touch nothing, nor does one that is not twisted") {
    const auto touches_nothing = [](const scene::Scene& scene, int frames) {
        CAPTURE(scene.name);
        const Contact contact = judge(scene, frames);
        CHECK(contact.colliders == 0);
        CHECK(contact.layers == 0);
    };
    touches_nothing(scene_of("collision", {"cloth.origin=[-0.75,0.5,6]"}), 30);
    touches_nothing(scene_of("ball-drape", half_as_fine_ball_drape(5.6)), 30);
    touches_nothing(scene_of("drape-mesh", {"cloth.translation=[0,0,5.8]"}), 30);
    touches_nothing(scene_of("twist", {"pins.0.motion.keyframes=[{time=0}]", "pins.1.motion.keyframes=[{time=0}]"}),
                    80);
}

TEST_CASE("A folded strip touches itself where its layers are closer than the distance that is asked about") {
    const geometry::GridCloth strip =
        geometry::make_grid_cloth({3, 21}, {.origin = Vector3::Zero(), .width = 1, .height = 0.1});
    const double gap = 0.01;  // [m] between the layers, both of which go along x
    Positions folded = strip.mesh.positions;
    for (auto vertex : folded.rowwise())
        if (vertex(0) > 0.5) vertex << 1 - vertex(0), vertex(1) + gap, vertex(2);
    const auto touching = [&](double distance) {
        return test::vertices_at_other_layers(folded, strip.mesh.positions, strip.mesh.triangles, distance, 0.2);
    };
    CHECK(touching(0.9 * gap) == 0);
    // All but those within 0.2 m of the fold, whose counterparts were that near at rest.
    CHECK(touching(1.1 * gap) > 30);
    CHECK(touching(1.1 * gap) < 63);
    CHECK(test::vertices_at_other_layers(strip.mesh.positions, strip.mesh.positions, strip.mesh.triangles, 0.1, 0.2) ==
          0);
}
