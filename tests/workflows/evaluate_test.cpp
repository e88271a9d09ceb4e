// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate.h"

#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/evaluation_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace tulle::workflows {

namespace {

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

const MethodFigures& figures(const EvaluateReport& report, const std::string& name) {
    return *std::find_if(report.methods.begin(), report.methods.end(), [&](const auto& m) { return m.name == name; });
}

// The frames of a run of its own, from the first on; the start is not among them.
std::vector<Positions> frames_of(const scene::Scene& scene, const std::string& method) {
    scene::Simulation simulation(scene, scene::parse_method(method));
    std::vector<Positions> frames;
    for (int frame = 0; frame < scene.time.frames; ++frame) {
        (void)simulation.advance_frame();
        frames.push_back(simulation.state().positions);
    }
    return frames;
}

// Of every particle in every frame [m], in ascending order.
std::vector<double> distances_between(const std::vector<Positions>& a, const std::vector<Positions>& b) {
    std::vector<double> distances;
    for (size_t frame = 0; frame < a.size(); ++frame)
        for (long v = 0; v < a[frame].rows(); ++v)
            distances.push_back(std::hypot(a[frame](v, 0) - b[frame](v, 0), a[frame](v, 1) - b[frame](v, 1),
                                           a[frame](v, 2) - b[frame](v, 2)));
    std::sort(distances.begin(), distances.end());
    return distances;
}

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

void check_summary(const evaluation::DistanceSummary& reported, const std::vector<double>& sorted_distances) {
    CHECK(reported.mean == test::near(mean_of(sorted_distances)).epsilon(1e-9));
    CHECK(reported.max == test::near(sorted_distances.back()).epsilon(1e-9));
    const auto rank = static_cast<size_t>(std::ceil(0.95 * static_cast<double>(sorted_distances.size()))) - 1;
    CHECK(reported.p95 == test::near(sorted_distances[rank]).epsilon(0.006));  // half a bin of its histogram
}

// Every second vertex both ways is kept, and the others are put half way between those that were.
Positions halved_and_interpolated(const Positions& full, int rows, int columns) {
    Positions result(full.rows(), 3);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const int up = row - row % 2, down = row + row % 2, left = column - column % 2, right = column + column % 2;
            result.row(row * columns + column) = (full.row(up * columns + left) + full.row(up * columns + right) +
                                                  full.row(down * columns + left) + full.row(down * columns + right)) /
                                                 4;
        }
    return result;
}

// Along the rows and columns of the small scene's grid.
double longest_stretch(const Positions& positions) {
    constexpr int rows = 9, columns = 13;
    constexpr double spacing = 0.05;  // [m] both ways
    double longest = 0;
    for (int v = 0; v < rows * columns; ++v) {
        if (v % columns + 1 < columns) longest = std::max(longest, (positions.row(v + 1) - positions.row(v)).norm());
        if (v + columns < rows * columns)
            longest = std::max(longest, (positions.row(v + columns) - positions.row(v)).norm());
    }
    return longest / spacing;
}

// Root mean square length of a₊ − 2a + a₋ over four, where a is x₊ − 2x + x₋.
double trembling_of(const std::vector<Positions>& frames) {
    std::vector<Positions> accelerations;
    for (size_t frame = 1; frame + 1 < frames.size(); ++frame)
        accelerations.push_back(frames[frame + 1] - 2 * frames[frame] + frames[frame - 1]);
    std::vector<double> squares;
    for (size_t i = 1; i + 1 < accelerations.size(); ++i)
        for (long v = 0; v < frames.front().rows(); ++v)
            squares.push_back(
                ((2 * accelerations[i] - accelerations[i + 1] - accelerations[i - 1]).row(v) / 4).squaredNorm());
    return std::sqrt(mean_of(squares));
}

}  // namespace

TEST_CASE("The distances to the references are those between runs of their own") {
    // The judge is strict whatever the scene asks of it.
    const EvaluateReport report = evaluate(small_scene({"solver.newton.tolerance=0.01"}),
                                           {.methods = {"admm", "newton", "admm:2", "bicubic"}, .folder = {}});
    CHECK(report.frames == 13);
    const std::vector<Positions> full = frames_of(small_scene(), "admm");
    const std::vector<Positions> converged = frames_of(small_scene({"solver.newton.tolerance=1e-8"}), "newton");
    check_summary(*report.full.to_converged, distances_between(full, converged));
    CHECK(report.full.to_converged->mean > 1e-6);
    for (const char* method : {"admm:2", "bicubic"}) {
        CAPTURE(method);
        const std::vector<Positions> frames = frames_of(small_scene(), method);
        const MethodFigures& reported = figures(report, method);
        check_summary(*reported.to_full, distances_between(frames, full));
        check_summary(*reported.to_converged, distances_between(frames, converged));
        CHECK(reported.to_full->mean > 1e-4);
        REQUIRE(reported.curve_to_full.size() == 13);
        for (size_t frame = 0; frame < 13; ++frame)
            CHECK(reported.curve_to_full[frame] ==
                  test::near(mean_of(distances_between({frames[frame]}, {full[frame]}))).epsilon(1e-9));
    }
    CHECK(figures(report, "admm:2").to_converged->mean > figures(report, "admm").to_converged->mean);
}

TEST_CASE("Stretch and flicker are those of a run of its own") {
    const scene::Scene scene = small_scene({"cloth.noise=0.01"});
    const EvaluateReport report = evaluate(scene, {.methods = {"admm:2"}, .converged = false, .folder = {}});
    const std::vector<Positions> full = frames_of(scene, "admm"), frames = frames_of(scene, "admm:2");
    double stretch = 0;
    for (const Positions& frame : frames) stretch = std::max(stretch, longest_stretch(frame));
    CHECK(stretch > 1.01);
    const MethodFigures& found = report.methods.front();
    CHECK(*found.max_stretch == test::near(stretch).epsilon(1e-9));
    CHECK(*found.p99_strain > 0.001);
    CHECK(*found.p99_strain < stretch - 1 + 1e-12);
    const double flicker = trembling_of(frames) / trembling_of(full);
    CHECK(std::abs(flicker - 1) > 1e-4);
    CHECK(*found.flicker == test::near(flicker).epsilon(1e-6));
    CHECK(*found.p95_normal_error_degrees > *found.normal_error_degrees);
    CHECK(*found.p99_ms_per_frame >= *found.ms_per_frame);
}

TEST_CASE("The full run has its own wrinkles, its own flicker and no other normals") {
    const EvaluateReport report =
        evaluate(small_scene({"cloth.noise=0.01"}), {.methods = {"admm"}, .converged = false, .folder = {}});
    const MethodFigures& full = report.methods.front();
    CHECK(full.wrinkle_energy.value() == 1);
    CHECK(full.flicker.value() == 1);
    CHECK(*full.p95_normal_error_degrees == 0);
    CHECK(full.contacts->intersections == 0);
    CHECK(full.shapes.tip[0].size() == 13);
}

TEST_CASE("Without its motion a run has costs and distances only") {
    const EvaluateReport report =
        evaluate(small_scene(), {.methods = {"bicubic"}, .converged = false, .folder = {}, .motion = false});
    CHECK(report.methods.front().to_full->mean > 0);
    CHECK(report.methods.front().teacher_forced.has_value());
    CHECK(!report.methods.front().max_stretch);
    CHECK(!report.methods.front().contacts);
}

TEST_CASE("Where no coarse cloth fits there is no wrinkle energy") {
    const EvaluateReport report =
        evaluate(small_scene({"cloth.rows=10"}), {.methods = {"admm"}, .converged = false, .folder = {}});
    CHECK(!report.methods.front().wrinkle_energy);
}

TEST_CASE("The teacher-forced error of bilinear is that of halving the full run and filling it in by hand") {
    const EvaluateReport report = evaluate(small_scene(), {.methods = {"bilinear"}, .converged = false, .folder = {}});
    const std::vector<Positions> full = frames_of(small_scene(), "admm");
    std::vector<Positions> forced;
    for (const Positions& frame : full) forced.push_back(halved_and_interpolated(frame, 9, 13));
    const std::vector<double> distances = distances_between(forced, full);
    CHECK(mean_of(distances) > 1e-6);
    check_summary(*report.methods.front().teacher_forced, distances);
}

TEST_CASE("A reference that is asked for as a method is not run twice, and only upscaling has inference") {
    EvaluateSettings settings{.methods = {"admm", "newton", "bicubic"}, .folder = {}};
    long frames = 0;
    settings.on_frame = [&](const EvaluateProgress& progress) {
        CHECK(progress.total == 4 * 13);  // admm, newton, bicubic and the chaos floor
        return ++frames > 0;
    };
    const EvaluateReport report = evaluate(small_scene(), settings);
    CHECK(frames == 4 * 13);
    CHECK(*figures(report, "admm").speedup == 1);
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
    const test::TemporaryFolder folder;
    const EvaluateReport report =
        evaluate(small_scene(), {.methods = {"admm:3"}, .converged = false, .folder = folder / "caches"});
    const io::CacheReader full(report.full.cache), method(report.methods.front().cache);
    REQUIRE(method.frame_count() == 14);
    CHECK(method.path() == folder.path() / "caches" / "admm-3.h5");
    double sum = 0;
    for (long f = 1; f <= 13; ++f) sum += (method.positions(f) - full.positions(f)).rowwise().norm().mean();
    CHECK(report.methods.front().to_full->mean == doctest::Approx(sum / 13).epsilon(1e-4).scale(0));
    CHECK(!report.methods.front().to_converged);
    CHECK(!report.converged);
}

TEST_CASE("A method that cannot run is named before anything is simulated or written") {
    const test::TemporaryFolder folder;
    EvaluateSettings settings{.methods = {"admm:5", "bicubic"}, .folder = folder / "caches"};
    settings.on_frame = [](const EvaluateProgress&) {
        FAIL("nothing may run");
        return true;
    };
    // A grid of 10 rows cannot be halved.
    CHECK_THROWS_WITH_AS(evaluate(small_scene({"cloth.rows=10"}), settings), doctest::Contains("method 'bicubic'"),
                         Error);
    CHECK(folder.names().empty());
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
