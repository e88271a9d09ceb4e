// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/scene/families/upscaling/upscaling_course.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

using methods::Features;
using methods::Scaling;

namespace {

CalibrationSettings read_calibration(TableReader table) {
    CalibrationSettings settings;
    settings.sequences = table.integer("sequences", {.min = 1, .max = 1000, .fallback = settings.sequences});
    settings.evaluations = table.integer("evaluations", {.min = 1, .max = 100'000, .fallback = settings.evaluations});
    settings.seconds =
        table.number("seconds", {.unit = "s", .max = 1e4, .positive = true, .fallback = settings.seconds});
    table.finish();
    return settings;
}

SimulatedCoarseSettings read_simulated_coarse(TableReader table, const methods::UpscalingKind& kind,
                                              Features features) {
    SimulatedCoarseSettings settings;
    settings.frames = table.integer("frames", {.min = 0, .max = 1000, .fallback = settings.frames});
    settings.repeats = table.integer("repeats", {.min = 1, .max = 1000, .fallback = settings.repeats});
    if (settings.frames > 0 && (!kind.corrects_coarse() || !is_canonical(features)))
        table.fail("frames", "only miniature networks with canonical features learn from a simulated coarse cloth");
    table.finish();
    return settings;
}

}  // namespace

UpscalingCourseSettings read_upscaling_course(TableReader& recipe, const std::string& method, const std::string& name) {
    const methods::UpscalingKind& kind = methods::upscaling_kind(method);
    UpscalingCourseSettings course{.method = method, .name = name};
    course.factor = recipe.integer("factor", {.min = 2, .max = kind.largest_factor(), .fallback = kind.usual_factor()});
    course.features = recipe.named("features", Features::Canonical, methods::parse_features);
    if (course.features == Features::Motion && !kind.corrects_coarse())
        recipe.fail("features", "only patches of the miniature method are seen in motion");
    const Scaling usual = !is_canonical(course.features) ? Scaling::Paper
                          : name == "general"            ? Scaling::Similarity
                                                         : Scaling::Calibrated;
    course.scaling = recipe.named("scaling", usual, methods::parse_scaling);
    course.calibration = read_calibration(recipe.table("calibration"));
    course.simulated_coarse = read_simulated_coarse(recipe.table("simulated_coarse"), kind, course.features);
    return course;
}

}  // namespace tulle::scene
