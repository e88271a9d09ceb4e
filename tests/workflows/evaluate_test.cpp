// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate.h"

#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/workflows/evaluation_report.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

namespace tulle::workflows {

namespace {

namespace fs = std::filesystem;

// A cloth that takes a fraction of a millisecond.
scene::Scene small_scene(const scene::Overrides& overrides = {}) {
    return scene::parse_scene(R"(
name = "small"
[time]
frame_rate = 25
frames = 13
[cloth]
kind = "grid"
rows = 9
columns = 13
width = 0.6
height = 0.4
origin = [0, 0, 1]
mass = 2e-3
[[pins]]
column = "first"
)",
                              "small.toml", "nowhere", overrides);
}

struct TemporaryFolder {
    fs::path path = fs::temp_directory_path() / ("tulle-evaluate-" + std::to_string(::getpid()));
    TemporaryFolder() { fs::remove_all(path); }
    ~TemporaryFolder() { fs::remove_all(path); }
};

const MethodFigures& figures(const EvaluateReport& report, const std::string& name) {
    return *std::find_if(report.methods.begin(), report.methods.end(), [&](const auto& m) { return m.name == name; });
}

}  // namespace

TEST_CASE("A reference is no distance from itself, and every other method some") {
    const EvaluateReport report =
        evaluate(small_scene(), {.methods = {"admm", "newton", "admm:2", "bicubic"}, .folder = {}});
    CHECK(report.frames == 13);
    CHECK(figures(report, "admm").to_full->max == 0);
    CHECK(*figures(report, "admm").speedup == 1);
    CHECK(*figures(report, "admm").jitter == 0);
    CHECK(*figures(report, "admm").normal_error_degrees == 0);
    CHECK(figures(report, "newton").to_converged->max == 0);
    CHECK(figures(report, "newton").to_full->mean == test::near(figures(report, "admm").to_converged->mean));
    CHECK(figures(report, "admm:2").to_full->mean > 1e-4);
    CHECK(figures(report, "admm:2").to_converged->mean > figures(report, "admm").to_converged->mean);
    for (const MethodFigures& method : report.methods) {
        CHECK(method.curve_to_full.size() == 13);
        CHECK(method.teacher_forced.has_value() == (method.name == "bicubic"));
        CHECK(method.ms_inference.has_value() == (method.name == "bicubic"));
    }
}

TEST_CASE("A cloth that hangs still has no chaos floor and no errors") {
    const EvaluateReport report =
        evaluate(small_scene({"forces.gravity=[0,0,0]"}), {.methods = {"admm:5", "bilinear"}, .folder = {}});
    constexpr double rounding = 2e-6;  // [m]: admm computes in single precision
    CHECK(report.chaos_floor < rounding);
    for (const MethodFigures& method : report.methods) {
        CHECK(method.to_full->max < rounding);
        CHECK(method.teacher_forced.value_or(evaluation::DistanceSummary{}).max < rounding);
        CHECK(*method.max_stretch == doctest::Approx(1).epsilon(1e-4));
        CHECK(*method.stretch_energy < 1e-10);
        CHECK(*method.normal_error_degrees < 0.01);
    }
}

TEST_CASE("The caches hold the runs that the figures were taken from") {
    const TemporaryFolder folder;
    const EvaluateReport report =
        evaluate(small_scene(), {.methods = {"admm:3"}, .converged = false, .folder = folder.path});
    const io::CacheReader full(report.full.cache), method(report.methods.front().cache);
    REQUIRE(method.frame_count() == 14);
    CHECK(method.path() == folder.path / "admm-3.h5");
    double sum = 0;
    for (long f = 1; f <= 13; ++f) sum += (method.positions(f) - full.positions(f)).rowwise().norm().mean();
    CHECK(report.methods.front().to_full->mean == doctest::Approx(sum / 13).epsilon(1e-4).scale(0));
    CHECK(!report.methods.front().to_converged);
    CHECK(!report.converged);
}

TEST_CASE("A method that cannot run is named before anything is simulated or written") {
    const TemporaryFolder folder;
    EvaluateSettings settings{.methods = {"admm:5", "bicubic"}, .folder = folder.path};
    settings.on_frame = [](const EvaluateProgress&) {
        FAIL("nothing may run");
        return true;
    };
    // A grid of 10 rows cannot be halved.
    CHECK_THROWS_WITH_AS(evaluate(small_scene({"cloth.rows=10"}), settings), doctest::Contains("method 'bicubic'"),
                         Error);
    CHECK(!fs::exists(folder.path));
}

TEST_CASE("Costs measured on a busy machine are doubted, others are not") {
    CHECK(warnings({.cpu_share = 0.95}).empty());
    REQUIRE(warnings({.cpu_share = 0.12}).size() == 1);
    CHECK(warnings({.cpu_share = 0.12}).front().find("12 %") != std::string::npos);
    const EvaluateReport report = evaluate(small_scene(), {.methods = {"admm:5"}, .converged = false, .folder = {}});
    CHECK(report.cpu_share > 0);
    CHECK(report.cpu_share < 1.05);
}

TEST_CASE("A converged solution that ran out of iterations is said to be none") {
    const EvaluateReport report =
        evaluate(small_scene({"solver.newton.max_iterations=1"}), {.methods = {"admm:5"}, .folder = {}});
    REQUIRE(report.converged);
    CHECK(report.converged->note.find("13 of 13 frames") != std::string::npos);
    CHECK(evaluate(small_scene(), {.methods = {"admm:5"}, .folder = {}}).converged->note.empty());
}

TEST_CASE("An evaluation stops when it is told to") {
    EvaluateSettings settings{.methods = {"admm:5"}, .folder = {}};
    long last = 0;
    settings.on_frame = [&](const EvaluateProgress& progress) {
        last = progress.done;
        return progress.done < 15;
    };
    CHECK(evaluate(small_scene(), settings).stopped);
    CHECK(last == 15);
}

TEST_CASE("The Pareto plot has every method at every stiffness, or says why it has not") {
    const ParetoReport report = evaluate_pareto(small_scene(), {.frames = 3});
    REQUIRE(report.panels.size() == 3);
    for (const ParetoPanel& panel : report.panels) {
        for (const std::string& method : pareto_methods("admm")) {
            CAPTURE(method);
            const bool there = std::any_of(panel.points.begin(), panel.points.end(),
                                           [&](const ParetoPoint& point) { return point.method == method; });
            const bool skipped = std::any_of(report.skipped.begin(), report.skipped.end(),
                                             [&](const SkippedMethod& one) { return one.method == method; });
            CHECK(there != skipped);
        }
        // No admm beats the best admm of its own cost.
        for (const ParetoPoint& point : panel.points)
            if (point.method.starts_with("admm"))
                CHECK(point.truth_at_same_cost.value() <= point.mean_error_to_converged * (1 + 1e-12));
    }
    CHECK(report.panels[0].points[0].mean_error_to_converged != report.panels[2].points[0].mean_error_to_converged);
    const std::string table = to_csv(report);
    CHECK(std::count(table.begin(), table.end(), '\n') ==
          1 + 3 * static_cast<long>(report.panels.front().points.size()));
}

}  // namespace tulle::workflows
