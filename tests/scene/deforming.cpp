// SPDX-License-Identifier: Apache-2.0
// Colliders given by a mesh for each key.
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/collision/intersections.h"
#include "tulle/io/obj.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace tulle;
using namespace tulle::scene;
using test::contains;
using test::error_of;

namespace {

// A folder with the keys of a growing cube.
struct Project {
    test::TemporaryFolder folder;

    void write(const std::string& name, double size, const std::function<void(geometry::TriangleMesh&)>& change = {}) {
        const Vector3 sizes = Vector3::Constant(size);
        geometry::TriangleMesh cube = collision::make_box({0, 0, 0}, sizes, Matrix3::Identity())->to_mesh();
        if (change) change(cube);
        io::write_obj(folder / name, cube);
    }
    physics::World world(const std::string& collider) const {
        const std::string text =
            "[cloth]\nmass = 1\n[[colliders]]\nname = \"body\"\nshape = \"deforming\"\n" + collider;
        return make_world(parse_scene(text, "x.toml", folder.path()));
    }
    std::string error(const std::string& collider) const {
        const std::string message = error_of([&] { (void)world(collider); });
        CHECK(message.find('\n') == std::string::npos);
        return message;
    }
};

// The edges of the cube along x at a time.
double size_at(const physics::World& world, double time) {
    const Positions positions = world.colliders->front().deforming->positions_at(time);
    return positions.col(0).maxCoeff() - positions.col(0).minCoeff();
}

const std::string rate = "frame_rate = 2\n";

}  // namespace

TEST_CASE("A deforming collider goes through its files, named one by one or by a pattern") {
    Project project;
    for (const int i : {7, 8, 9, 10}) project.write(fmt::format("cube-{}.obj", i), i);
    for (const int i : {0, 1, 2}) project.write(fmt::format("long_{:04}.obj", i), 1 + i);
    project.write("cube-x.obj", 99);
    project.write("cube-08.obj", 99);
    project.write("cube-8.obj.bak", 99);
    const physics::World by_pattern = project.world("files = \"cube-%d.obj\"\n" + rate);
    CHECK(size_at(by_pattern, 0) == test::near(7));
    CHECK(size_at(by_pattern, 0.75) == test::near(8.5));
    CHECK(size_at(by_pattern, 9) == test::near(10));
    CHECK(size_at(project.world("files = \"long_%04d.obj\"\n" + rate), 1) == test::near(3));
    const physics::World by_list = project.world("files = [\"cube-9.obj\", \"cube-7.obj\"]\n" + rate);
    CHECK(size_at(by_list, 0) == test::near(9));
    CHECK(size_at(by_list, 0.5) == test::near(7));
}

TEST_CASE("A deforming collider is scaled, turned and moved into place, and wound outward") {
    Project project;
    project.write("a.obj", 1, [](geometry::TriangleMesh& mesh) { mesh.triangles.col(1).swap(mesh.triangles.col(2)); });
    const physics::World world = project.world(
        "files = [\"a.obj\"]\nscale = 2\ntranslation = [0, 0, 5]\n"
        "rotation = { axis = [0, 0, 1], angle_degrees = 45 }\n" +
        rate);
    const collision::PlacedCollider placed(world.colliders->front(), 0);
    CHECK(placed.shape().distance({0, 0, 5}) == test::near(-1));
    CHECK(placed.shape().distance({0, 0, 6.5}) == test::near(0.5));
    CHECK(placed.shape().distance({1, 1, 5}) == test::near(std::sqrt(2) - 1));
}

TEST_CASE("Files of a deforming collider that are not there or cannot be are named") {
    Project project;
    for (const int i : {1, 2, 4}) project.write(fmt::format("gap-{}.obj", i), i);
    CHECK(contains(project.error("files = \"gap-%d.obj\"\n" + rate), "x.toml:6: 'files' in [colliders.0] misses"));
    CHECK(contains(project.error("files = \"gap-%d.obj\"\n" + rate), "gap-3.obj' between its first and its last"));
    CHECK(contains(project.error("files = \"none-%d.obj\"\n" + rate), "there is none like"));
    CHECK(contains(project.error("files = \"nowhere/%d.obj\"\n" + rate), "there is none like"));
    for (const char* pattern : {"gap-1.obj", "gap-%s.obj", "gap-%d%d.obj", "gap-%4d.obj", "gap-%0xd.obj", "gap-%",
                                "%%d", "gap-%099999999999d.obj", "gap-%-4d.obj", "%d/gap.obj"})
        CHECK(contains(project.error(fmt::format("files = \"{}\"\n", pattern) + rate), "must hold one number such as"));
    CHECK(contains(project.error("files = [\"gap-1.obj\", \"gap-3.obj\"]\n" + rate), "gap-3.obj', which does not"));
    CHECK(contains(project.error("files = []\n" + rate), "must name at least one file"));
    CHECK(contains(project.error("files = 3\n" + rate), "must be a list of texts"));
    CHECK(contains(project.error(rate), "'files' is missing in [colliders.0]"));
    CHECK(contains(project.error("files = [\"gap-1.obj\"]\n"), "'frame_rate' is missing in [colliders.0]"));
    CHECK(contains(project.error("files = [\"gap-1.obj\"]\nframe_rate = 0\n"), "must be at least 0.001"));
    CHECK(contains(project.error("files = [\"gap-1.obj\"]\nfile = \"a.obj\"\n" + rate), "unknown key 'file'"));
    CHECK(contains(project.error("files = [\"gap-1.obj\"]\n" + rate + "motion = { keyframes = [{ time = 0 }] }\n"),
                   "'motion' in [colliders.0] moves rigid colliders"));
}

TEST_CASE("Keys of a deforming collider that do not go together are refused with the file") {
    Project project;
    project.write("a.obj", 1);
    const auto error_with = [&](const std::function<void(geometry::TriangleMesh&)>& change) {
        project.write("b.obj", 1, change);
        return project.error("files = [\"a.obj\", \"b.obj\"]\n" + rate);
    };
    const std::string place = "x.toml:3: collider 'body': '";
    std::string message = error_with([](geometry::TriangleMesh& mesh) {
        mesh.positions.conservativeResize(mesh.positions.rows() + 1, 3);
        mesh.positions.bottomRows(1).setZero();
    });
    CHECK(message.starts_with(place));
    CHECK(contains(message, "b.obj' has 9 vertices, but '"));
    CHECK(contains(message, "a.obj' has 8;"));
    message = error_with([](geometry::TriangleMesh& mesh) { mesh.triangles.row(0).swap(mesh.triangles.row(1)); });
    CHECK(contains(message, "b.obj' has other triangles than '"));
    message = error_with(
        [](geometry::TriangleMesh& mesh) { mesh.triangles.conservativeResize(mesh.triangles.rows() - 1, 3); });
    CHECK(contains(message, "b.obj': the collider mesh is open at the edge between vertices"));
    message = error_with([](geometry::TriangleMesh& mesh) { mesh.positions.col(0) *= -1; });
    CHECK(contains(message, "b.obj' is turned inside out, compared with '"));
    message = error_with([](geometry::TriangleMesh& mesh) { mesh.positions.col(0).setZero(); });
    CHECK(contains(message, "b.obj': the collider mesh encloses no volume"));
    std::ofstream(project.folder / "b.obj") << "v 0 0 0\nv 1 nan 0\nv 1 1 0\nf 1 2 3\n";
    CHECK(contains(project.error("files = [\"a.obj\", \"b.obj\"]\n" + rate), "b.obj', line 2: "));
}

TEST_CASE("A cloth that is upscaled over a deforming ball has no vertex inside it on any frame") {
    const std::filesystem::path file = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes/deforming-ball.toml";
    Simulation simulation(load_scene(file), parse_method("bicubic"));
    const collision::Colliders& colliders = *simulation.world().colliders;
    for (int frame = 0; frame < 80; ++frame) {
        simulation.advance_frame();
        const physics::ClothState& state = simulation.state();
        if (frame % 10 == 9) CHECK(collision::find_deep_vertices(state.positions, colliders, state.time, 1e-6).empty());
    }
    CHECK(simulation.state().positions.col(2).maxCoeff() > 0.7);  // it lies on the swollen ball
}
