// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tulle/projections/stretch.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;

namespace {

// Soft cloth that hangs from its first row beside a ball.
const std::string soft = R"(
[time]
frame_rate = 25
[cloth]
rows = 9
columns = 13
width = 0.6
height = 0.4
mass = 0.01
[cloth.stretch]
stiffness = 20
[cloth.shear]
stiffness = 20
[cloth.bend]
stiffness = 0.1
[[pins]]
row = "first"
[[colliders]]
shape = "sphere"
center = [0.3, 0.12, -0.2]
radius = 0.1
[solver]
steps_per_frame = 1
)";

scene::Scene parse(const std::string& text) { return scene::parse_scene(soft + text, "test.toml", "."); }

projections::StretchRange stretch_of(const scene::Simulation& simulation) {
    const geometry::TriangleMesh& mesh = simulation.model().mesh;
    const Edges edges = projections::edges_of(mesh.triangles);
    VectorX lengths(edges.rows());
    for (long e = 0; e < edges.rows(); ++e)
        lengths(e) = (mesh.positions.row(edges(e, 0)) - mesh.positions.row(edges(e, 1))).norm();
    return projections::stretch_range(edges, lengths, simulation.state().positions);
}

}  // namespace

TEST_CASE("A scene attaches inextensibility to solvers and to upscaling; pins hold and velocities are those shown") {
    for (const char* method : {"admm", "newton", "bicubic"}) {
        CAPTURE(method);
        scene::Simulation plain(parse(""), scene::parse_method(method));
        scene::Simulation mended(parse("[projection]\ninextensible = 0.02\n"), scene::parse_method(method));
        double worst = 0;
        for (int frame = 0; frame < 12; ++frame) {
            plain.advance_frame();
            const Positions before = mended.state().positions;
            const physics::StepReport report = mended.advance_frame();
            CHECK(report.counters.of("unsolved_projections") == 0);
            worst = std::max(worst, stretch_of(plain).largest);
            CHECK(stretch_of(mended).largest < 1.02 + 1e-3);  // pushing out of the ball may add a little
            for (int v = 0; v < 13; ++v) CHECK(mended.state().positions.row(v) == mended.model().mesh.positions.row(v));
            const Positions shown = (mended.state().positions - before) / mended.scene().time.frame_time();
            CHECK((shown - mended.state().velocities).cwiseAbs().maxCoeff() < 1e-2);
        }
        CHECK(worst > 1.1);
    }
}

TEST_CASE("A method names projections after a plus, and prints as it was written") {
    for (const char* text : {"admm+inextensible", "admm:5+quasistatic", "bicubic+quasistatic+inextensible"})
        CHECK(scene::parse_method(text).to_string() == text);
    CHECK(scene::parse_method("admm+inextensible+quasistatic").to_string() == "admm+quasistatic+inextensible");
    const auto error = [](const char* text) { return test::error_of([&] { scene::parse_method(text); }); };
    CHECK(test::contains(error("admm+flat"), "inextensible or quasistatic"));
    CHECK(test::contains(error("admm+"), "inextensible or quasistatic"));
    CHECK(test::contains(error("admm+inextensible+inextensible"), "each once"));
    CHECK(test::contains(error("amm+inextensible"), "unknown method 'amm'"));
}

TEST_CASE("A named projection takes its numbers from the scene") {
    const scene::Scene scene =
        parse("[projection]\nmu = 0.3\ntolerance = 1e-4\nmax_iterations = 77\ncompression = 0.2\n");
    const auto none = scene::projection_settings(scene, scene::parse_method("admm"));
    CHECK_FALSE(none.is_any());
    const auto both = scene::projection_settings(scene, scene::parse_method("admm+quasistatic+inextensible"));
    CHECK(both.quasistatics->mu == 0.3);
    CHECK(both.quasistatics->tolerance == 1e-4);
    CHECK(both.inextensibility->stretch == 0.01);
    CHECK(both.inextensibility->compression == 0.2);
    CHECK(both.inextensibility->max_iterations == 77);
    CHECK(both.name() == "quasistatic+inextensible");
    CHECK(test::contains(test::error_of([&] { parse("[projection]\ninextensible = -1\n"); }), "inextensible"));
}
