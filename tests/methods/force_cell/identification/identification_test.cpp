// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/identification.h"
#include "tests/methods/force_cell/identification/recordings.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

using namespace tulle;
using namespace tulle::test;
using methods::SpringLaw;

namespace {

constexpr double dt = 1e-3;       // [s]
constexpr double spacing = 0.05;  // [m]

void check_all(const methods::IdentificationReport& report, const methods::ClothParameters& truth, double tolerance) {
    CHECK(report.converged);
    for (int i = 0; i < methods::parameter_count; ++i) {
        CAPTURE(methods::parameter_name(i));
        CAPTURE(report.values[static_cast<size_t>(i)].value);
        CHECK(report.values[static_cast<size_t>(i)].is_shown);
        CHECK(relative_error(report, truth, i) < tolerance);
    }
}

}  // namespace

TEST_CASE("Exact positions of explicit steps give every parameter to a part in a thousand") {
    const methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    const methods::IdentificationReport young = identify(cloth, record(cloth, young_parameters(), dt, 150), {});
    CHECK(young.law == SpringLaw::Young);
    check_all(young, young_parameters(), 1e-3);
    const methods::IdentificationReport kinds = identify(cloth, record(cloth, kinds_parameters(), dt, 150), {});
    CHECK(kinds.law == SpringLaw::ByKind);  // because the motion speaks against one modulus
    check_all(kinds, kinds_parameters(), 1e-3);
}

TEST_CASE("Positions with noise of a thousandth of the spacing give the parameters within their error bars") {
    const methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{}, 14);
    const methods::MotionRecording exact = record(cloth, young_parameters(), dt, 300);
    const methods::IdentificationReport report =
        identify(cloth, with_noise(exact, 1e-3 * spacing, 1), {.law = SpringLaw::Young});
    CHECK(report.noise == near(1e-3 * spacing).epsilon(0.05));
    CHECK(report.converged);
    for (int i = 0; i < methods::parameter_count; ++i) {
        const methods::IdentifiedValue& value = report.values[static_cast<size_t>(i)];
        CAPTURE(methods::parameter_name(i));
        CHECK(std::abs(value.value - to_vector(young_parameters())(i)) < 4 * value.error);
        CHECK(value.error > 0);
        const bool is_damping = i >= 3 && i < 6;  // so small a cloth shows little of it
        CHECK(relative_error(report, young_parameters(), i) < (is_damping ? 0.04 : 0.01));
    }
}

TEST_CASE("The steps of newton are read at their end, and give the parameters of the cloth") {
    methods::KnownCloth cloth = swinging_cloth(physics::NewtonSettings{}, 7);
    const methods::MotionRecording recording = record(cloth, young_parameters(), 5e-3, 40);
    cloth.solver.reset();  // nobody says what made it
    const methods::IdentificationReport report = identify(cloth, recording, {.law = SpringLaw::Young});
    CHECK(report.reading == methods::Reading::EndOfStep);
    CHECK(std::holds_alternative<physics::NewtonSettings>(report.solver));
    check_all(report, young_parameters(), 1e-3);
}

TEST_CASE("A recording of every fourth step gives the parameters too") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    cloth.steps_per_frame = 4;
    const methods::IdentificationReport report = identify(cloth, record(cloth, young_parameters(), dt, 80), {});
    check_all(report, young_parameters(), 5e-3);
}

TEST_CASE("A recording with one frame of many steps needs the start of the scene") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    cloth.steps_per_frame = 40;  // 25 frames a second
    const methods::MotionRecording recording = record(cloth, young_parameters(), dt, 20);
    const methods::IdentificationReport report =
        identify(cloth, recording, {.law = SpringLaw::Young, .start = at_rest(cloth.model)});
    check_all(report, young_parameters(), 1e-3);
    CHECK(report.warnings.empty());
    const methods::IdentificationReport unsure = identify(cloth, recording, {.law = SpringLaw::Young});
    REQUIRE_FALSE(unsure.warnings.empty());
    CHECK(contains(unsure.warnings.front(), "far apart"));
}

TEST_CASE("Turning a recording turns the gravity and changes nothing else") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    methods::MotionRecording recording = record(cloth, young_parameters(), dt, 120);
    const Matrix3 turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, -0.5).normalized()).toRotationMatrix();
    for (Positions& frame : recording.frames) frame = (frame * turn.transpose()).eval();
    cloth.model.start_positions = (cloth.model.start_positions * turn.transpose()).eval();
    methods::ClothParameters turned = young_parameters();
    turned.gravity = turn * turned.gravity;
    check_all(identify(cloth, recording, {.law = SpringLaw::Young}), turned, 1e-3);
}

TEST_CASE("Twice the mass means twice the stiffness and damping, and the same drag and gravity") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    const methods::MotionRecording recording = record(cloth, young_parameters(), dt, 120);
    cloth.model.masses *= 2;
    methods::ClothParameters doubled = young_parameters();
    for (size_t i = 0; i < 3; ++i) {
        doubled.stiffness[i] *= 2;
        doubled.damping[i] *= 2;
    }
    check_all(identify(cloth, recording, {.law = SpringLaw::Young}), doubled, 1e-3);
}

TEST_CASE("A falling sheet shows gravity and drag, and that it shows no stiffness and no damping") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    cloth.model.pins.clear();
    const methods::MotionRecording recording = record(cloth, young_parameters(), dt, 120);
    const methods::IdentificationReport report =
        identify(cloth, with_noise(recording, 1e-3 * spacing, 3), {.law = SpringLaw::Young});
    for (const size_t i : {0, 3}) CHECK_FALSE(report.values[i].is_shown);
    CHECK(relative_error(report, young_parameters(), 9) < 0.05);
}

TEST_CASE("A recording that the scene cannot explain is noticed") {
    methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    methods::ClothParameters parameters = young_parameters();
    cloth.world.pressure = 3;
    const methods::MotionRecording recording = record(cloth, parameters, dt, 100);
    cloth.world.pressure = 0;
    const methods::IdentificationReport report = identify(cloth, recording, {.law = SpringLaw::Young});
    REQUIRE_FALSE(report.warnings.empty());
    CHECK(contains(report.warnings.front(), "farther from the recording than noise explains"));
    cloth.world.pressure = 3;
    check_all(identify(cloth, recording, {.law = SpringLaw::Young}), parameters, 1e-3);
}

TEST_CASE("What was found does not depend on the number of threads") {
    const methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{}, 8);
    const methods::MotionRecording recording = with_noise(record(cloth, young_parameters(), dt, 60), 1e-3 * spacing, 1);
    std::vector<VectorX> found;
    for (const int threads : {1, 2, 3}) {
        const ThreadCountScope scope(threads);
        found.push_back(to_vector(identify(cloth, recording, {.law = SpringLaw::Young}).parameters));
    }
    CHECK((found[0].array() == found[1].array()).all());
    CHECK((found[0].array() == found[2].array()).all());
}

TEST_CASE("What cannot be identified is refused in a sentence") {
    const methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    const methods::MotionRecording recording = record(cloth, young_parameters(), dt, 30);
    const auto refusal = [&](const methods::KnownCloth& of, const methods::MotionRecording& motion) {
        return error_of([&] { identify(of, motion, {}); });
    };
    methods::MotionRecording few = recording;
    few.frames.resize(5);
    CHECK(contains(refusal(cloth, few), "5 frames"));
    methods::MotionRecording still = recording;
    for (Positions& frame : still.frames) frame = recording.frames.front();
    CHECK(contains(refusal(cloth, still), "does not move"));
    methods::KnownCloth mesh = cloth;
    mesh.model.grid.reset();
    CHECK(contains(refusal(mesh, recording), "not a grid"));
    methods::KnownCloth held = cloth;
    held.model.pins.clear();
    std::vector<int> all;
    for (int v = 0; v < held.model.vertex_count(); ++v) all.push_back(v);
    pin(held.model, all);
    CHECK(contains(refusal(held, recording), "pinned"));
    methods::KnownCloth other = swinging_cloth(physics::MassSpringSettings{}, 8);
    CHECK(contains(refusal(other, recording), "100 vertices"));
}

TEST_CASE("Identification stops when it is told to") {
    const methods::KnownCloth cloth = swinging_cloth(physics::MassSpringSettings{});
    const methods::MotionRecording recording = record(cloth, young_parameters(), dt, 60);
    const auto report = identify(cloth, recording, {.on_progress = [](const methods::FitProgress&) { return false; }});
    CHECK(report.stopped);
}
