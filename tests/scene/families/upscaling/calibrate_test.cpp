// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/calibrate.h"

#include "tests/support/near.h"
#include "tulle/geometry/miniature.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;

namespace {

const std::string swinging = R"(
name = "swinging"
[cloth]
rows = 9
columns = 9
width = 0.8
height = 0.8
along_rows = [0, 1, 0]
mass = 0.002
[[pins]]
row = "first"
[solver.admm]
iterations = 10
)";

// A "full simulation" that the coarse cloth can follow exactly, because it is that of the coarse cloth itself with
// known multipliers; what lies between its vertices does not count.
datasets::Sequence known_sequence(const methods::Calibration& truth, int frames) {
    const Scene scene = parse_scene(swinging, "swinging.toml", ".");
    const physics::ClothModel full = make_model(scene);
    const CoarseScene coarse =
        coarsen(scene, full, {.factor = 2, .scaling = methods::Scaling::Calibrated, .calibration = truth});
    Simulation simulation(coarse.scene, parse_method("admm"));
    datasets::Sequence sequence{.name = "known",
                                .scene_name = scene.name,
                                .scene_text = scene.text,
                                .scene_folder = ".",
                                .mesh = full.mesh,
                                .grid = *full.grid,
                                .frame_time = scene.time.frame_time()};
    for (int f = 0; f <= frames; ++f) {
        if (f > 0) simulation.advance_frame();
        Positions fine = full.mesh.positions;
        for (size_t v = 0; v < coarse.fine_vertices.size(); ++v)
            fine.row(coarse.fine_vertices[v]) = simulation.state().positions.row(static_cast<long>(v));
        for (const double number : fine.reshaped<Eigen::RowMajor>())
            sequence.positions.push_back(static_cast<float>(number));
    }
    return sequence;
}

}  // namespace

TEST_CASE("The coarse cloth with the true multipliers has no error, and any other has") {
    const methods::Calibration truth{.mass = 1.0, .stretch = 1.6, .bend = 1.0};
    const datasets::Sequence sequence = known_sequence(truth, 15);
    const CalibrateSettings settings{.law = {.factor = 2}, .seconds = 0.6};
    CHECK(coarse_error({&sequence}, settings, truth) < 1e-6);
    CHECK(coarse_error({&sequence}, settings, {}) > 1e-3);
}

TEST_CASE("Calibration recovers a known multiplier") {
    const methods::Calibration truth{.mass = 1.0, .stretch = 1.6, .bend = 1.0};
    const datasets::Sequence sequence = known_sequence(truth, 15);
    CalibrateSettings settings{.law = {.factor = 2}, .seconds = 0.6, .evaluations = 80};
    const CalibrateReport report = calibrate({&sequence}, settings);
    // Under gravity alone only the ratio of stiffness to mass shows.
    CHECK(report.calibration.stretch / report.calibration.mass == test::near(1.6).epsilon(0.05));
    CHECK(report.error_after < 0.2 * report.error_before);
    CHECK(report.evaluations <= 80 + 5);
}

TEST_CASE("Calibration finds out that pins give") {
    const datasets::Sequence sequence = known_sequence({.pin = 0.5}, 15);
    const CalibrateSettings settings{.law = {.factor = 2}, .seconds = 0.6, .evaluations = 150};
    const CalibrateReport report = calibrate({&sequence}, settings);
    CHECK(report.calibration.pin < 0.75);
    CHECK(report.error_after < 0.3 * report.error_before);
}

TEST_CASE("A calibration that is stopped keeps the best it has found") {
    const datasets::Sequence sequence = known_sequence({.stretch = 1.6}, 5);
    CalibrateSettings settings{.law = {.factor = 2}, .seconds = 0.2, .evaluations = 60};
    settings.on_evaluation = [](int done, int) { return done < 6; };
    const CalibrateReport report = calibrate({&sequence}, settings);
    CHECK(report.evaluations == 6);
    CHECK(report.error_after <= report.error_before);
}
