// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/ensemble.h"

#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/workflows/evaluation_report.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tulle::workflows {

namespace {

scene::Scene small_scene(const scene::Overrides& overrides = {}) {
    return scene::parse_scene(R"(
name = "small"
[time]
frame_rate = 25
frames = 12
[cloth]
kind = "grid"
rows = 9
columns = 13
width = 0.6
height = 0.4
origin = [0, 0, 1]
mass = 2e-3
[wind]
velocity = [3, 2, 0]
normal = 2
[[pins]]
column = "first"
)",
                              "small.toml", "nowhere", overrides);
}

const EnsembleFigure& figure(const EnsembleMethod& method, const std::string& name) {
    return *std::find_if(method.figures.begin(), method.figures.end(), [&](const auto& f) { return f.name == name; });
}

}  // namespace

TEST_CASE("The full simulation as a method is its own ensemble, and never leaves it") {
    const EnsembleReport report = evaluate_ensemble(small_scene(), {.methods = {"admm", "admm:2"}, .seeds = 5});
    REQUIRE(report.methods.size() == 2);
    const EnsembleMethod& same = report.methods[0];
    CHECK(same.distances->strain == 0);
    CHECK(same.distances->curvature == 0);
    CHECK(same.distances->tip == 0);
    CHECK(same.within_floor == 5);
    CHECK(same.horizon->mean == test::near(12 * 0.04));
    CHECK(same.horizon->half_width < 1e-12);
    CHECK(figure(same, "mean_error_to_full").value->mean == 0);
    CHECK(figure(same, "flicker").value->mean == 1);
    CHECK(!figure(same, "mean_error_to_converged").value);
    const EnsembleMethod& few = report.methods[1];
    CHECK(few.distances->tip > 10 * report.full.distances->tip);
    CHECK(few.horizon->mean < same.horizon->mean);
    CHECK(few.shapes.tip[0].size() == 5 * 12);
    CHECK(report.chaos_curve.size() == 12);
}

TEST_CASE("The starts of an ensemble differ by about what they were moved by, and all of its runs differ") {
    const EnsembleReport report = evaluate_ensemble(small_scene(), {.methods = {"admm:5"}, .frames = 3, .seeds = 4});
    CHECK(report.chaos_floor.mean > 0.05 * start_move);
    CHECK(report.chaos_floor.mean < 2 * start_move);
    CHECK(report.full.distances->tip > 0);
    CHECK(figure(report.methods.front(), "mean_error_to_full").value->half_width > 0);
}

TEST_CASE("Upscaling methods start where the full simulation does") {
    // So that after one frame they are within a part of the move of it.
    const EnsembleReport report = evaluate_ensemble(small_scene({"forces.gravity=[0,0,0]", "wind.velocity=[0,0,0]"}),
                                                    {.methods = {"bicubic"}, .frames = 1, .seeds = 4});
    CHECK(report.methods.front().curve_to_full.front() < 0.1 * report.chaos_curve.front());
}

TEST_CASE("An ensemble counts the frames of all its seeds and stops when it is told to") {
    EnsembleSettings settings{.methods = {"admm:5"}, .frames = 4, .seeds = 4};
    long last = 0;
    settings.on_frame = [&](const EvaluateProgress& progress) {
        CHECK(progress.done == last + 1);
        CHECK(progress.total == 4 * 3 * 4);  // seeds, runs (full, admm:5, the floor) and frames
        last = progress.done;
        return progress.done < 20;
    };
    CHECK(evaluate_ensemble(small_scene(), settings).stopped);
    CHECK(last == 20);
    CHECK_THROWS_AS(evaluate_ensemble(small_scene(), {.methods = {"admm:5"}, .seeds = 3}), Error);
}

TEST_CASE("Every figure of a run is in the table of an ensemble with its half width") {
    const EnsembleReport report = evaluate_ensemble(small_scene(), {.methods = {"bicubic"}, .frames = 6, .seeds = 4});
    const std::string csv = to_csv(report);
    for (const NamedFigure& one : figures_of({})) {
        CAPTURE(one.name);
        CHECK(csv.find("," + one.name + "," + one.name + "_half_width") != std::string::npos);
        CHECK(to_json(report).find("\"" + one.name + "\"") != std::string::npos);
    }
    const std::string header = csv.substr(0, csv.find('\n'));
    const std::string last = csv.substr(csv.rfind("\nbicubic") + 1);
    CHECK(std::count(header.begin(), header.end(), ',') == std::count(last.begin(), last.end(), ','));
    CHECK(to_html(report).find("</html>") != std::string::npos);
}

}  // namespace tulle::workflows
