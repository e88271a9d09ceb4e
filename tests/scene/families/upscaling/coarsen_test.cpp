// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/coarsen.h"

#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tulle;
using namespace tulle::scene;
using methods::Scaling;
using test::near;

namespace {

Scene parse(const std::string& text, const Overrides& overrides = {}) {
    return parse_scene(text, "test.toml", std::filesystem::path(TULLE_SOURCE_DIR) / "scenes", overrides);
}

const std::string springs = R"(
[cloth]
rows = 13
columns = 17
mass = 0.002
[cloth.stretch]
stiffness = 100
damping = 1
[cloth.shear]
stiffness = 80
[cloth.bend]
stiffness = 16
damping = 0.5
[[pins]]
row = "first"
[wind]
velocity = [1, 0, 0]
normal = 4
tangential = 0.8
)";

CoarseScene coarsened(const Scene& scene, const CoarseningLaw& law) { return coarsen(scene, make_model(scene), law); }

const physics::GridMaterial& springs_of(const CoarseScene& coarse) {
    return std::get<physics::GridMaterial>(coarse.scene.cloth.material);
}

// How far the last row of a cloth hangs below its rest, when it has come to rest in thick air.
double sag(const Scene& scene, const std::string& method) {
    Simulation simulation(scene, parse_method(method));
    for (int frame = 0; frame < 60; ++frame) simulation.advance_frame();
    const geometry::GridSize size = *simulation.model().grid;
    const int lowest = size.index(size.rows - 1, size.columns / 2);
    return simulation.model().mesh.positions(lowest, 2) - simulation.state().positions(lowest, 2);
}

}  // namespace

TEST_CASE("By similarity a coarse cloth weighs the same, inside s² as much a particle") {
    for (const int s : {2, 4}) {
        const Scene scene = parse(springs);
        const CoarseScene coarse = coarsened(scene, {.factor = s, .scaling = Scaling::Similarity});
        const physics::ClothModel model = make_model(coarse.scene), full = make_model(scene);
        CHECK(model.masses.sum() == near(full.masses.sum()).epsilon(1e-12));
        CHECK(model.masses(model.grid->index(1, 1)) == near(0.002 * s * s));
        CHECK(model.masses(0) == near(0.002 * (s + 1) * (s + 1) / 4));
        CHECK(geometry::triangle_areas(model.mesh.positions, model.mesh.triangles).sum() == near(1));
    }
}

TEST_CASE("By similarity shear stays, skip springs weaken by s⁴, and structural ones take over their load") {
    for (const int s : {2, 3, 4}) {
        CAPTURE(s);
        const Scene scene = parse(springs, {"cloth.columns=25"});
        const physics::GridMaterial coarse = springs_of(coarsened(scene, {.factor = s}));
        const double bend = 16 / std::pow(s, 4);
        CHECK(coarse.shear.stiffness == near(80));
        CHECK(coarse.bend.stiffness == near(bend));
        CHECK(coarse.stretch.stiffness == near(100 + 4 * (16 - bend)));
        CHECK(coarse.bend.damping == near(0.5 / std::pow(s, 4)));
        CHECK(coarse.stretch.damping == near(1 + 4 * (0.5 - 0.5 / std::pow(s, 4))));
    }
}

TEST_CASE("A coarse cloth resists being pulled as the fine one does, border included") {
    const auto energy = [](const physics::ClothModel& model, const Vector3& stretch) {
        const Positions pulled = model.mesh.positions * stretch.asDiagonal();
        double sum = 0;
        for (long e = 0; e < model.springs.count(); ++e) {
            const double length =
                (pulled.row(model.springs.edges(e, 0)) - pulled.row(model.springs.edges(e, 1))).norm();
            sum += 0.5 * model.springs.stiffness(e) * std::pow(length - model.springs.rest_lengths(e), 2);
        }
        return sum;
    };
    const Scene scene = parse(springs, {"cloth.columns=25", "cloth.bend.stiffness=0"});
    for (const Vector3& stretch : {Vector3(1.1, 1, 1), Vector3(1, 1, 1.2), Vector3(1.3, 1, 0.9)})
        for (const int s : {2, 3, 4}) {
            CAPTURE(s);
            const double fine = energy(make_model(scene), stretch);
            CHECK(energy(make_model(coarsened(scene, {.factor = s}).scene), stretch) == near(fine).epsilon(1e-9));
            const CoarseScene by_paper = coarsened(scene, {.factor = s, .scaling = Scaling::Paper});
            CHECK(energy(make_model(by_paper.scene), stretch) > 1.01 * fine);
        }
}

TEST_CASE("A calibration for pins weakens the springs that are tied to them and no others") {
    const Scene scene = parse(springs);
    const CoarseScene plain = coarsened(scene, {.scaling = Scaling::Similarity});
    const CoarseScene coarse = coarsened(scene, {.scaling = Scaling::Calibrated, .calibration = {.pin = 0.6}});
    const physics::ClothModel before = make_model(plain.scene), after = make_model(coarse.scene);
    const std::vector<bool> pinned = after.pinned();
    long tied = 0;
    for (long e = 0; e < after.springs.count(); ++e) {
        const bool at_pin = pinned[static_cast<size_t>(after.springs.edges(e, 0))] ||
                            pinned[static_cast<size_t>(after.springs.edges(e, 1))];
        tied += at_pin ? 1 : 0;
        CHECK(after.springs.stiffness(e) == near((at_pin ? 0.6 : 1) * before.springs.stiffness(e)));
        CHECK(std::abs(after.springs.damping(e) - (at_pin ? 0.6 : 1) * before.springs.damping(e)) < 1e-12);
    }
    CHECK(tied > 0);
    CHECK(tied < after.springs.count());
}

TEST_CASE("A calibration multiplies what similarity gives, and only where it is asked for") {
    const Scene scene = parse(springs);
    const methods::Calibration fitted{.mass = 1.1, .stretch = 1.5, .bend = 0.5};
    const CoarseScene plain = coarsened(scene, {.scaling = Scaling::Similarity, .calibration = fitted});
    const CoarseScene coarse = coarsened(scene, {.scaling = Scaling::Calibrated, .calibration = fitted});
    CHECK(springs_of(coarse).stretch.stiffness == near(1.5 * springs_of(plain).stretch.stiffness));
    CHECK(springs_of(coarse).shear.stiffness == near(1.5 * 80));
    CHECK(springs_of(coarse).bend.stiffness == near(0.5));
    CHECK(make_model(coarse.scene).masses.sum() == near(1.1 * make_model(scene).masses.sum()));
    CHECK(springs_of(plain).shear.stiffness == near(80));
}

TEST_CASE("The papers' scaling keeps particle masses and springs, and thins the air for the miniature only") {
    const Scene scene = parse(springs);
    for (const bool thin_air : {true, false}) {
        const CoarseScene coarse = coarsened(scene, {.factor = 2, .scaling = Scaling::Paper, .thin_air = thin_air});
        CHECK(make_model(coarse.scene).masses.isApproxToConstant(0.002));
        CHECK(springs_of(coarse).stretch.stiffness == near(100));
        CHECK(springs_of(coarse).bend.stiffness == near(16));
        CHECK(coarse.scene.wind->normal == near(thin_air ? 1 : 4));
        CHECK(coarse.scene.wind->tangential == near(thin_air ? 0.2 : 0.8));
        CHECK(coarse.scene.wind->velocity == scene.wind->velocity);
    }
    const CoarseScene similar = coarsened(scene, {.factor = 2, .thin_air = true});
    CHECK(similar.scene.wind->normal == near(4));  // by similarity the air is as it is
}

TEST_CASE("A calibration multiplies what a paper's scaling gives too, such as masses that keep the total") {
    const Scene scene = parse(springs);
    const CoarseScene heavy = coarsened(scene, {.factor = 2, .scaling = Scaling::Paper, .calibration = {.mass = 3.5}});
    CHECK(make_model(heavy.scene).masses.isApproxToConstant(3.5 * 0.002));
    CHECK(springs_of(heavy).stretch.stiffness == near(100));
    CHECK(springs_of(heavy).bend.stiffness == near(16));
}

TEST_CASE("A continuum is the same at any spacing") {
    const Scene scene = parse("[cloth]\nrows = 13\ncolumns = 17\nfabric = \"denim\"\n");
    const auto fabric = [&](const CoarseningLaw& law) {
        return std::get<Fabric>(coarsened(scene, law).scene.cloth.material);
    };
    const Fabric denim = std::get<Fabric>(scene.cloth.material);
    CHECK(fabric({.factor = 4}).stretch == denim.stretch);
    CHECK(fabric({.factor = 4}).shear == denim.shear);
    CHECK(fabric({.factor = 4}).bending == denim.bending);
    CHECK(fabric({.factor = 4, .scaling = Scaling::Paper}).bending == near(16 * denim.bending));
}

TEST_CASE("A similar cloth of a quarter of the particles hangs as deep as the full one, the papers' does not") {
    // Wide, because the springs along a border stand for half as much cloth and the law knows no border.
    // Its skip springs carry a sixth of the load: who forgets that in the coarse cloth misses by as much.
    const std::string hanging =
        "[cloth]\nrows = 17\ncolumns = 41\nwidth = 2\nheight = 0.8\nmass = 0.004\n[cloth.bend]\nstiffness = 5\n"
        "[[pins]]\nrow = \"first\"\n[forces]\ndrag = 6\n";
    const double full = sag(parse(hanging), "admm");
    CHECK(full > 0.01);
    CHECK(sag(parse(hanging, {"upscaling.scaling=\"similarity\""}), "bicubic") == near(full).epsilon(0.03));
    CHECK(sag(parse(hanging, {"upscaling.scaling=\"paper\""}), "bicubic") < 0.6 * full);
}

TEST_CASE("A coarse cloth has the pins that fall on its vertices and says how many do not") {
    const Scene scene = parse(springs + "[[pins]]\nvertices = [200, 202]\n");  // row 11 is between coarse rows
    const CoarseScene coarse = coarsened(scene, {.factor = 2});
    CHECK(coarse.note ==
          "10 of 19 pins fall between the vertices of the coarse cloth; they hold in the fine cloth only");
    CHECK(make_model(coarse.scene).pins.size() == 1);
    CHECK(make_model(coarse.scene).pins.front().vertices == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    const Scene lone = parse("[cloth]\nrows = 5\ncolumns = 5\nmass = 1\n[[pins]]\nvertices = [1, 7]\n");
    CHECK(test::contains(test::error_of([&] { coarsened(lone, {.factor = 2}); }), "none of the 2 pins"));
    const Scene on_vertices = parse("[cloth]\nrows = 5\ncolumns = 5\nmass = 1\n[[pins]]\nvertices = [0, 4]\n");
    CHECK(coarsened(on_vertices, {.factor = 2}).note.empty());
}

TEST_CASE("A mesh is made coarser by leaving out its last subdivisions") {
    const Scene scene = parse(
        "[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\nfabric = \"cotton\"\nsubdivisions = 1\n"
        "[[pins]]\nvertices = [0, 5, 5000]\n");
    const physics::ClothModel full = make_model(scene);
    const CoarseScene coarse = coarsened(scene, {.factor = 2});
    const physics::ClothModel model = make_model(coarse.scene);
    CHECK(model.vertex_count() == 1801);
    CHECK(full.mesh.triangle_count() == 4 * model.mesh.triangle_count());
    CHECK(model.masses.sum() == near(full.masses.sum()).epsilon(1e-12));
    CHECK(model.mesh.positions == full.mesh.positions.topRows(1801));
    CHECK(model.pins.front().vertices == std::vector<int>{0, 5});
    CHECK(test::contains(coarse.note, "1 of 3 pins"));
    // Each vertex gets what lies around it, as its own area would have said.
    const VectorX own = physics::masses_from_density(model.mesh, 0.15);
    CHECK((model.masses - own).cwiseAbs().maxCoeff() < 0.35 * own.maxCoeff());
    for (const int factor : {3, 4, 6})
        CHECK(test::contains(test::error_of([&] { coarsened(scene, {.factor = factor}); }),
                             "only a power of two up to 2 can"));
}

TEST_CASE("A grid that does not divide is refused with the nearest size that does") {
    CHECK(test::contains(test::error_of([&] { coarsened(parse(springs, {"cloth.rows=14"}), {.factor = 2}); }),
                         "the nearest size that does is 15×17"));
}
