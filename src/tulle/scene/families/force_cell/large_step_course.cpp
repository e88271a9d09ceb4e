// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/large_step_course.h"

#include "tulle/core/error.h"
#include "tulle/core/timer.h"
#include "tulle/methods/force_cell/cell_fit.h"
#include "tulle/scene/families/force_cell/cell_states.h"
#include "tulle/scene/families/force_cell/large_step_lessons.h"
#include "tulle/scene/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tulle::scene {

namespace {

constexpr long most_samples = 200'000;  // that the fit of the cell looks at

// The states of all training sequences, which must be of one material and step.
CellLesson read_lessons(const datasets::TrainingData& data, long most_states) {
    CellLesson all;
    for (const size_t index : data.split.training) {
        CellLesson lesson = cell_lesson(data.sequences[index], most_states);
        if (all.states.empty()) {
            all = std::move(lesson);
            continue;
        }
        if (!is_same(lesson.material, all.material) || std::abs(lesson.dt / all.dt - 1) > 1e-6)
            throw Error(
                "'{}' is of another material or step than the sequences before it; larger steps are learnt of "
                "one cloth",
                data.sequences[index].name);
        std::move(lesson.states.begin(), lesson.states.end(), std::back_inserter(all.states));
    }
    if (all.states.empty()) throw Error("there is no state that larger steps could be learnt from");
    return all;
}

}  // namespace

LargeStepCourseSettings read_large_step_course(TableReader& recipe) {
    LargeStepCourseSettings course;
    TableReader table = recipe.table("large_step");
    methods::LargeStepFitSettings& fit = course.fit;
    fit.steps = table.integer("steps", {.min = 2, .max = 64});
    fit.degree = table.integer("degree", {.min = 2, .max = 40, .fallback = fit.degree});
    fit.across_degree = table.integer("across_degree", {.min = 2, .max = 40, .fallback = fit.across_degree});
    fit.smoothing = table.integer("smoothing", {.min = 1, .max = 40, .fallback = fit.smoothing});
    fit.margin = table.number("margin", {.min = 0.1, .max = 1, .fallback = fit.margin});
    fit.across_most = table.number("across_most", {.min = 0, .max = 1000, .fallback = fit.across_most});
    course.most_pairs =
        table.integer("pairs", {.min = 1, .max = 10'000, .fallback = static_cast<int>(course.most_pairs)});
    table.finish();
    return course;
}

std::string LargeStepCourse::weights_name() const {
    return fmt::format("force-cell-k{}.safetensors", settings_.fit.steps);
}

std::unique_ptr<datasets::SampleSource> LargeStepCourse::cut(const datasets::Sequence&, const std::string&) const {
    throw Error("larger steps are learnt from whole states, not from samples that are cut out");
}

void LargeStepCourse::fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) {
    const auto progress = [&](double fraction) {
        if (on_progress && !on_progress(fraction)) throw Error("stopped");
    };
    const Stopwatch watch;
    progress(0);
    const CellLesson lesson = read_lessons(data, settings_.most_pairs);
    const methods::CellDesign design;
    cell_ = fit_least_squares(methods::CellSamples(lesson.states), design, most_samples).cell;
    progress(0.2);

    std::vector<methods::LargeStepPair> pairs;
    for (const size_t index : data.split.training) {
        std::ranges::move(large_step_pairs(data.sequences[index], cell_, settings_.fit.steps, settings_.most_pairs),
                          std::back_inserter(pairs));
        progress(0.2 + 0.4 * static_cast<double>(index + 1) / static_cast<double>(data.sequences.size()));
    }
    methods::LargeStepFitSettings fit = settings_.fit;
    fit.time_step = fit.steps * lesson.dt;
    const methods::LargeStepFit learnt = fit_large_step(pairs, fit);
    pairs_ = learnt.pairs;
    relative_error_ = learnt.relative_error;
    part_ = {.activation = design.activation,
             .softening = design.softening,
             .time_step = lesson.dt,
             .material = lesson.material,
             .large_step = learnt.layer};
    card.training_minutes += watch.milliseconds() / 60'000;
    progress(1);
}

std::map<std::string, double> LargeStepCourse::test_errors(const Learned&, const datasets::TrainingData& data) const {
    std::map<std::string, double> errors = {{"training_relative", relative_error_}};
    for (const size_t index : data.split.test) {
        const datasets::Sequence& sequence = data.sequences[index];
        const CellLesson lesson = cell_lesson(sequence, 1);
        const FreeRun run = free_run(sequence, carried_over(cell_, part_.material, lesson.material), *part_.large_step);
        errors["free_running_mean"] += run.mean / static_cast<double>(data.split.test.size());
        errors["free_running_largest"] = std::max(errors["free_running_largest"], run.largest);
    }
    return errors;
}

methods::ModelCard LargeStepCourse::save(const std::filesystem::path& file, methods::ModelCard card, const Learned&,
                                         const datasets::TrainingData&) const {
    card.family = to_json(part_);
    methods::save_force_cell(file, {.source = file.string(), .card = card, .part = part_, .cell = cell_});
    return card;
}

}  // namespace tulle::scene
