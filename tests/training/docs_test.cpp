// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tulle/core/atomic_file.h"
#include "tulle/scene/families/upscaling/upscaling_course.h"
#include "tulle/scene/sweep.h"
#include "tulle/training/settings.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace tulle;
using tulle::test::contains;

TEST_CASE("docs/training.md lists the defaults that the program has") {
    const std::string page = read_file(TULLE_SOURCE_DIR "/docs/training.md", 1 << 20);
    const training::TrainerSettings settings;
    const scene::UpscalingCourseSettings course;
    const scene::Sweep sweep;
    const auto check = [&](const std::string& key, const std::string& value) {
        CHECK_MESSAGE(contains(page, fmt::format("{}` | {} |", key, value)), key);
    };
    check("optimiser", "`" + to_string(settings.optimiser) + "`");
    check("schedule", "`" + to_string(settings.schedule) + "`");
    check("engine", "`" + to_string(settings.engine) + "`");
    check("learning_rate", fmt::format("{}", settings.learning_rate));
    check("final_learning_rate", fmt::format("{}", settings.final_learning_rate));
    check("batch", fmt::format("{}", settings.batch));
    check("weight_decay", fmt::format("{}", settings.weight_decay));
    check("seed", fmt::format("{}", settings.seed));
    check("samples_per_epoch", fmt::format("{}", settings.samples_per_epoch));
    check("[calibration] sequences", fmt::format("{}", course.calibration.sequences));
    check("evaluations", fmt::format("{}", course.calibration.evaluations));
    check("seconds", fmt::format("{}", course.calibration.seconds));
    CHECK(contains(page, fmt::format("`sequences = {}`", sweep.sequences)));
    CHECK(contains(page, fmt::format("`frames = {}`, `seed = {}`", sweep.frames, sweep.seed)));
}
