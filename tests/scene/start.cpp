// SPDX-License-Identifier: Apache-2.0
// Where a cloth starts, as another thing than its shape at rest.
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/geometry/miniature.h"
#include "tulle/io/obj.h"
#include "tulle/physics/energies/elastic.h"
#include "tulle/scene/build.h"
#include "tulle/scene/coarsen.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::scene;

namespace {

const std::string sheet = R"(
[cloth]
rows = 9
columns = 17
width = 0.8
height = 0.4
fabric = "cotton"
[forces]
gravity = [0, 0, 0]
drag = 2
)";
const std::string start = "[cloth.start]\nfile = \"start.obj\"\n";

const std::string tablecloth = fmt::format(
    "[cloth]\nkind = \"mesh\"\nfile = \"{}/scenes/meshes/tablecloth-coarse.obj\"\nfabric = \"cotton\"\n"
    "subdivisions = 1\n",
    TULLE_SOURCE_DIR);

// Column c of a grid goes to the corner c of a polygon whose sides are as long as the cells: no spring along rows,
// columns or diagonals is stretched.
Positions rolled(const physics::ClothModel& flat, double angle_between_columns) {
    const int columns = flat.grid->columns;
    const double spacing = (flat.mesh.positions.row(1) - flat.mesh.positions.row(0)).norm();
    const double radius = spacing / (2 * std::sin(angle_between_columns / 2));
    Positions positions = flat.mesh.positions;
    for (long v = 0; v < positions.rows(); ++v) {
        const double angle = angle_between_columns * static_cast<double>(v % columns);
        positions(v, 0) = radius * std::sin(angle);
        positions(v, 1) = radius * (1 - std::cos(angle));
    }
    return positions;
}

// A folder with a scene and the file start.obj it names.
struct Project {
    test::TemporaryFolder folder;

    Scene parse(const std::string& text, const Overrides& overrides = {}) const {
        return parse_scene(text, "x.toml", folder / "", overrides);
    }
    physics::ClothModel model(const std::string& text, const Overrides& overrides = {}) const {
        return make_model(parse(text, overrides));
    }
    void write_start(Positions positions, const Triangles& triangles) const {
        io::write_obj(folder / "start.obj", {std::move(positions), triangles, {}});
    }
    Project& with_rolled_sheet() {
        const physics::ClothModel flat = model(sheet);
        write_start(rolled(flat, 0.2), flat.mesh.triangles);
        return *this;
    }
};

double worst_strain(const physics::ClothModel& model, const Positions& positions) {
    double worst = 0;
    for (long e = 0; e < model.springs.count(); ++e) {
        const double length =
            (positions.row(model.springs.edges(e, 0)) - positions.row(model.springs.edges(e, 1))).norm();
        worst = std::max(worst, std::abs(length / model.springs.rest_lengths(e) - 1));
    }
    return worst;
}

double energy(physics::ClothModel model, const Positions& positions, bool springs) {
    if (springs)
        model.hinges = {};
    else
        model.springs = {};
    return physics::elastic_energy(model, positions);
}

}  // namespace

TEST_CASE("A flat sheet that starts rolled up is bent but not stretched, and unrolls") {
    Project project;
    const Overrides stiff = {"cloth.membrane.bending=0.05"};  // unrolls within a second
    Simulation simulation(project.with_rolled_sheet().parse(sheet + start, stiff), parse_method("newton"));
    const physics::ClothModel& model = simulation.model();
    CHECK(model.mesh.positions == project.model(sheet).mesh.positions);
    CHECK(simulation.state().positions == model.start_positions);
    const double bent = energy(model, model.start_positions, /*springs=*/false);
    CHECK(worst_strain(model, model.start_positions) < 1e-9);
    CHECK(energy(model, model.start_positions, /*springs=*/true) < 1e-9 * bent);
    const auto height = [&] { return simulation.state().positions.col(1).maxCoeff(); };
    const double rolled_height = height();
    for (int frame = 0; frame < 50; ++frame) {
        simulation.advance_frame();
        CHECK(worst_strain(model, simulation.state().positions) < 0.01);
    }
    CHECK(energy(model, simulation.state().positions, /*springs=*/false) < 0.2 * bent);
    CHECK(std::abs(height() - rolled_height) > 0.05);
}

TEST_CASE("Pins hold and carry vertices from where they start, in the fused solvers too") {
    Project project;
    const std::string text = sheet + start + R"(
[[pins]]
column = "last"
[pins.motion]
keyframes = [{ time = 0 }, { time = 0.2, translation = [0, 0, 0.1] }]
)";
    project.with_rolled_sheet();
    for (const std::string method : {"admm", "mass_spring", "xpbd"}) {
        CAPTURE(method);
        std::string with_springs = text;
        with_springs.replace(with_springs.find("fabric = \"cotton\""), 17, "mass = 0.001");
        Simulation simulation(project.parse(with_springs), parse_method(method));
        const Positions first = simulation.state().positions;
        for (int frame = 0; frame < 5; ++frame) simulation.advance_frame();
        for (const int v : simulation.model().pins.front().vertices)
            CHECK((simulation.state().positions.row(v) - first.row(v) - Eigen::RowVector3d(0, 0, 0.1)).norm() < 1e-12);
        CHECK((first - simulation.model().mesh.positions).norm() > 0.1);
    }
}

TEST_CASE("A region pins what starts in it") {
    Project project;
    // The last column lies at x = 0.8 at rest and starts rolled over to the left.
    const std::string pins = "[[pins]]\nregion = { min = [-1, 0.3, -1], max = [1, 1, 1] }\n";
    const physics::ClothModel model = project.with_rolled_sheet().model(sheet + start + pins);
    for (const int v : model.pins.front().vertices) CHECK(model.start_positions(v, 1) >= 0.3);
    CHECK(model.pins.front().vertices.back() == model.vertex_count() - 1);
    CHECK(test::contains(test::error_of([&] { (void)project.model(sheet + pins); }), "hold no vertex"));
}

TEST_CASE("A start that is the rest shape gives the same bits as none") {
    const Project project;
    const std::string noisy = tablecloth + "noise = 0.001\n";
    const std::string same =
        fmt::format("[cloth.start]\nfile = \"{}/scenes/meshes/tablecloth-coarse.obj\"\n", TULLE_SOURCE_DIR);
    Simulation without(project.parse(noisy), parse_method("admm"));
    Simulation with(project.parse(noisy + same), parse_method("admm"));
    for (int frame = 0; frame < 3; ++frame) {
        CHECK(with.state().positions == without.state().positions);
        CHECK(with.state().velocities == without.state().velocities);
        with.advance_frame();
        without.advance_frame();
    }
}

TEST_CASE("The start of a mesh has the vertices of the cloth or of its mesh before subdivision, and is put in place") {
    const Project project;
    const physics::ClothModel plain = project.model(tablecloth);
    const physics::ClothModel coarse = project.model(tablecloth, {"cloth.subdivisions=0"});
    Positions up = plain.mesh.positions;
    up.col(2).array() += 2;
    project.write_start(coarse.mesh.positions, coarse.mesh.triangles);
    const std::string placed = start + "translation = [0, 0, 2]\n";
    CHECK((project.model(tablecloth + placed).start_positions - up).norm() < 1e-12);
    project.write_start(plain.mesh.positions, plain.mesh.triangles);
    CHECK((project.model(tablecloth + placed).start_positions - up).norm() < 1e-12);
    CHECK(project.model(tablecloth + placed).mesh.positions == plain.mesh.positions);
    const std::string turned = start + "scale = 2\nrotation = { axis = [1, 0, 0], angle_degrees = 90 }\n";
    CHECK((project.model(tablecloth + turned).start_positions.col(2) - 2 * plain.mesh.positions.col(1)).norm() < 1e-12);
}

TEST_CASE("A coarse cloth starts as the fine one does, at its own vertices") {
    Project project;
    const Scene grid = project.with_rolled_sheet().parse(sheet + start);
    const physics::ClothModel fine_grid = make_model(grid);
    const CoarseScene coarse_grid = coarsen(grid, fine_grid, {.factor = 4});
    CHECK(make_model(coarse_grid.scene).start_positions ==
          geometry::sample(coarse_grid.fine_vertices, fine_grid.start_positions));
    const physics::ClothModel plain = project.model(tablecloth);
    project.write_start(plain.mesh.positions * Vector3(1, 2, 3).asDiagonal(), plain.mesh.triangles);
    const Scene mesh = project.parse(tablecloth + start);
    const physics::ClothModel fine_mesh = make_model(mesh);
    const physics::ClothModel coarse_mesh = make_model(coarsen(mesh, fine_mesh, {.factor = 2}).scene);
    CHECK(coarse_mesh.vertex_count() == 397);
    CHECK(coarse_mesh.start_positions == fine_mesh.start_positions.topRows(397));
    CHECK(coarse_mesh.mesh.positions == plain.mesh.positions.topRows(397));
}

TEST_CASE("An upscaled cloth starts, and is held, where the fine one starts") {
    Project project;
    const Scene scene = project.with_rolled_sheet().parse(sheet + start + "[[pins]]\ncolumn = \"last\"\n");
    Simulation simulation(scene, parse_method("bicubic"));
    simulation.advance_frame();
    const Positions moved = simulation.state().positions - simulation.model().start_positions;
    CHECK(moved.rowwise().norm().maxCoeff() < 0.02);
    for (const int v : simulation.model().pins.front().vertices) CHECK(moved.row(v).isZero());
}

TEST_CASE("A start with other vertices, or no file, is refused with both counts") {
    Project project;
    const auto message = [&](const std::string& text) { return test::error_of([&] { (void)project.model(text); }); };
    CHECK(test::contains(message(sheet + start), "names the file"));
    const physics::ClothModel small = project.model(sheet, {"cloth.rows=8"});
    project.write_start(small.mesh.positions, small.mesh.triangles);
    CHECK(test::contains(message(sheet + start), "x.toml:2: the cloth has 153 vertices, but its start"));
    CHECK(test::contains(message(sheet + start), "start.obj' has 136"));
    CHECK(test::contains(message(tablecloth + start), "the cloth has 1519 vertices, but its start"));
    CHECK(test::contains(message(sheet + "[cloth.start]\n"), "'file' is missing in [cloth.start]"));
    CHECK(test::contains(message(sheet + start + "voxel_size = 1\n"), "unknown key 'voxel_size' in [cloth.start]"));
}
