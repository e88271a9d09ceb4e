// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/evaluate.h"
#include "tulle/workflows/pareto.h"

#include <doctest/doctest.h>

namespace tulle::workflows {

namespace {

scene::Scene swinging() {
    return scene::parse_scene(
        "[time]\nframes = 6\n[cloth]\nrows = 5\ncolumns = 7\nalong_rows = [0, 1, 0]\nmass = 2e-3\n"
        "[[pins]]\nrow = \"first\"\n",
        "swinging.toml", ".");
}

}  // namespace

TEST_CASE("Distances are to the run of whichever method is the truth") {
    const EvaluateReport report =
        evaluate(swinging(), {.methods = {"admm"}, .truth = "mass_spring", .converged = false, .folder = {}});
    CHECK(report.full.name == "mass_spring");
    scene::Simulation admm(swinging(), scene::parse_method("admm")),
        truth(swinging(), scene::parse_method("mass_spring"));
    double sum = 0;
    for (int frame = 0; frame < 6; ++frame) {
        admm.advance_frame();
        truth.advance_frame();
        sum += (admm.state().positions - truth.state().positions).rowwise().norm().mean();
    }
    CHECK(report.methods.front().to_full->mean == test::near(sum / 6));
    CHECK(sum > 1e-4);
}

TEST_CASE("A truth without iterations is one point of the Pareto plot, one with them a line") {
    CHECK(pareto_methods("mass_spring").front() == "mass_spring");
    CHECK(pareto_methods("xpbd").front() == "xpbd:2");
    CHECK(pareto_methods("admm")[5] == "admm:20");
}

}  // namespace tulle::workflows
