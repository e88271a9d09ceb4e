// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/physics/energies/elastic.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tulle;

namespace {

scene::Scene parse(const std::string& text, const scene::Overrides& overrides = {}) {
    return scene::parse_scene(text, "test.toml", std::filesystem::path(TULLE_SOURCE_DIR) / "scenes", overrides);
}

physics::ClothModel model_of(const std::string& text, const scene::Overrides& overrides = {}) {
    return make_model(parse(text, overrides));
}

std::vector<int> pins_of(const std::string& pins) {
    return model_of("[cloth]\nrows = 4\ncolumns = 5\nmass = 1\n[[pins]]\n" + pins).pins.front().vertices;
}

double area_of(const physics::ClothModel& model) {
    return geometry::triangle_areas(model.mesh.positions, model.mesh.triangles).sum();
}

const std::string cotton = "[cloth]\nrows = 21\ncolumns = 31\nwidth = 0.75\nheight = 0.5\nfabric = \"cotton\"\n";
const std::string cotton_mesh = "[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\nfabric = \"cotton\"\n";

}  // namespace

TEST_CASE("Pins are chosen by index, row, column, rule, corner, border and region") {
    CHECK(pins_of("vertices = [7, 3]") == std::vector<int>{3, 7});
    CHECK(pins_of("row = \"last\"") == std::vector<int>{15, 16, 17, 18, 19});
    CHECK(pins_of("column = 2") == std::vector<int>{2, 7, 12, 17});
    CHECK(pins_of("row = \"first\"\nevery = 3") == std::vector<int>{0, 3, 4});
    CHECK(pins_of("row = \"first\"\nevery = 3\ninclude_last = false") == std::vector<int>{0, 3});
    CHECK(pins_of("corners = [\"bottom-right\", \"top-left\"]") == std::vector<int>{0, 19});
    CHECK(pins_of("border = true").size() == 14);
    CHECK(pins_of("region = { min = [0.4, -1, -0.4], max = [0.6, 1, 1] }") == std::vector<int>{2, 7});
}

TEST_CASE("Pins move with their keyframes") {
    const physics::ClothModel model = model_of(R"(
[cloth]
mass = 1
[[pins]]
column = "first"
[pins.motion]
axis = [1, 0, 0]
keyframes = [{ time = 0 }, { time = 2, translation = [-1, 0, 0], angle_degrees = 180 }]
)");
    Positions positions = model.mesh.positions;
    model.place_pins(1, positions);
    CHECK(positions.row(0).isApprox(Eigen::RowVector3d(-0.5, 0, 0)));
    // The last vertex of the first column hangs 1 m below the axis; a quarter turn brings it beside.
    CHECK(positions.row(24 * 25).isApprox(Eigen::RowVector3d(-0.5, 1, 0)));
}

TEST_CASE("A cloth of a fabric weighs its area times the density") {
    CHECK(model_of(cotton).masses.sum() == test::near(0.75 * 0.5 * 0.15));
    const physics::ClothModel mesh = model_of(cotton_mesh);
    CHECK(mesh.masses.sum() == test::near(0.15 * area_of(mesh)));
}

TEST_CASE("A fabric on a grid has its stretch and shear stiffness whatever the shape of the cells") {
    for (const auto& [rows, columns] : {std::pair{21, 31}, std::pair{21, 21}, std::pair{15, 31}}) {
        CAPTURE(rows);
        CAPTURE(columns);
        const physics::ClothModel model = model_of(
            cotton,
            {fmt::format("cloth.rows={}", rows), fmt::format("cloth.columns={}", columns), "cloth.membrane.bending=0"});
        const double strain = 1e-4, area = 0.75 * 0.5;
        // Free to contract across, a thread feels E; C₁₂/C₂₂ of the strain is what it contracts by.
        const double C = (5000 + std::sqrt(5000.0 * 5000 + 4 * 45.0 * 45)) / 2;
        Positions stretched = model.mesh.positions;
        stretched.col(0) *= 1 + strain;
        stretched.col(2) *= 1 - strain * 45 / C;
        CHECK(elastic_energy(model, stretched) == test::near(0.5 * 5000 * strain * strain * area).epsilon(2e-3));
        Positions sheared = model.mesh.positions;
        sheared.col(0) += strain * model.mesh.positions.col(2);
        CHECK(elastic_energy(model, sheared) == test::near(0.5 * 45 * strain * strain * area).epsilon(2e-3));
    }
}

TEST_CASE("A fabric rolled to a cylinder stores half its rigidity times the squared curvature for each area") {
    const auto bending_of = [](const std::string& text) {
        const physics::ClothModel model = model_of(text, {"cloth.membrane.stretch=0"});
        physics::ClothModel hinges_only = model;
        hinges_only.springs = {};
        Positions rolled = model.mesh.positions;
        const double radius = 0.5;
        const int across = model.grid ? 1 : 2;  // a grid hangs in the xz plane, the mesh lies in the xy plane
        for (long v = 0; v < rolled.rows(); ++v) {
            const double angle = model.mesh.positions(v, 0) / radius;
            rolled(v, 0) = radius * std::sin(angle);
            rolled(v, across) = model.mesh.positions(v, across) + radius * (1 - std::cos(angle));
        }
        return elastic_energy(hinges_only, rolled) / area_of(model) / (0.5 * 1e-5 / (radius * radius));
    };
    // Hinges miss a strip along the border, and on an irregular mesh fold a little more than the cylinder does.
    CHECK(bending_of(cotton + "[cloth.membrane]\nshear = 0\n") == test::near(1).epsilon(0.1));
    CHECK(bending_of(cotton_mesh) == test::near(1).epsilon(0.25));
}

TEST_CASE("Rubber on a square grid has the papers' springs") {
    const physics::ClothModel rubber =
        model_of("[cloth]\nrows = 49\ncolumns = 73\nheight = 1.2\nwidth = 1.8\nfabric = \"rubber\"\n");
    CHECK(rubber.springs.stiffness.maxCoeff() == test::near(100));
    CHECK(rubber.masses.maxCoeff() == test::near(0.0005));
}

TEST_CASE("Masses come from a number, a list or a density") {
    const std::string grid = "[cloth]\nrows = 2\ncolumns = 2\n";
    CHECK(model_of(grid + "mass = 0.5").masses.isApproxToConstant(0.5));
    CHECK(model_of(grid + "mass = [1, 2, 3, 4]").masses == Eigen::Vector4d(1, 2, 3, 4));
    CHECK(model_of(grid + "density = 0.3").masses.sum() == test::near(0.3));
}

TEST_CASE("A mesh is scaled, turned and moved into place") {
    const physics::ClothModel model = model_of(
        cotton_mesh + "scale = 2\ntranslation = [0, 0, 5]\nrotation = { axis = [1, 0, 0], angle_degrees = 90 }\n");
    CHECK(model.mesh.positions.col(0).maxCoeff() == test::near(1.1));
    CHECK(model.mesh.positions.col(1).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(model.mesh.positions.col(2).mean() == test::near(5).epsilon(0.01));
}

TEST_CASE("Noise moves free vertices out of the plane, as the seed says, and leaves pins alone") {
    const std::string text = "[cloth]\nmass = 1\nnoise = 0.01\nvelocity = [0, 0, -1]\n[[pins]]\nvertices = [0]\n";
    const scene::Scene scene = parse(text);
    const physics::ClothModel model = make_model(scene);
    const physics::ClothState state = initial_state(scene, model);
    CHECK(state.positions.col(1).cwiseAbs().maxCoeff() <= 0.01);
    CHECK(state.positions.col(1).cwiseAbs().maxCoeff() > 0.005);
    CHECK(state.positions.row(0) == model.mesh.positions.row(0));
    CHECK(state.velocities.row(0).isZero());
    CHECK(state.velocities.row(1) == Eigen::RowVector3d(0, 0, -1));
    CHECK(initial_state(scene, model).positions == state.positions);
    CHECK(initial_state(parse(text, {"seed=2"}), model).positions != state.positions);
}

TEST_CASE("With y up, gravity, hanging cloth and turning follow") {
    const scene::Scene scene = parse("up_axis = \"y\"\n[cloth]\nmass = 1\n[wind]\nvelocity = [1, 0, 0]\n");
    CHECK(scene.gravity == Vector3(0, -9.81, 0));
    CHECK(scene.wind->turning_axis == Vector3::UnitY());
    CHECK(make_model(scene).mesh.positions.col(1).minCoeff() == test::near(-1));
}
