// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/force_cell_course.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/core/timer.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/force_cell/cell_states.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tulle::scene {

namespace {

const std::string first_round = "cell", second_round = "corrections";

struct Lessons {
    std::shared_ptr<const methods::CellSamples> samples;
    methods::TaughtMaterial material;
    double dt = 0;  // [s]
};

// All sequences must be of one material: a cell is one cloth.
Lessons read_lessons(const datasets::TrainingData& data, const std::vector<size_t>& part, long most_states) {
    Lessons lessons;
    std::vector<methods::CellState> states;
    for (const size_t index : part) {
        CellLesson lesson = cell_lesson(data.sequences[index], most_states);
        if (!states.empty() && !is_same(lesson.material, lessons.material))
            throw Error("'{}' is of another material than the sequences before it; a force cell learns one cloth",
                        data.sequences[index].name);
        lessons.material = lesson.material;
        lessons.dt = lesson.dt;
        std::move(lesson.states.begin(), lesson.states.end(), std::back_inserter(states));
    }
    lessons.samples = std::make_shared<const methods::CellSamples>(std::move(states));
    if (lessons.samples->count() == 0) throw Error("there is no state that a force cell could learn from");
    return lessons;
}

VectorX uniform_start(const methods::CellParameters& parameters, std::uint64_t seed) {
    Random random(seed);
    VectorX start(parameters.count());
    for (long i = 0; i < start.size(); ++i) {
        const bool is_scale = parameters.matrix.col(i).head<physics::stencil_channels>().squaredNorm() > 0;
        start(i) = is_scale ? 0 : random.uniform(-1, 1);
    }
    return start;
}

// Mean distance to the recording at its end [m], when the cell runs by itself; not a number if it diverges.
double free_running_error(const methods::ForceCell& cell, const datasets::Sequence& sequence) {
    const CellLesson lesson = cell_lesson(sequence, /*most_states=*/1);
    const physics::ClothModel model = make_model(lesson.scene);
    const physics::World world = make_world(lesson.scene);
    physics::ClothState state = initial_state(lesson.scene, model);
    const auto stepper = make_force_cell(model, world, methods::forces_outside(world, model), cell, {});
    const long frames = sequence.frame_count() - 1;
    const auto steps = static_cast<int>(std::lround(sequence.frame_time / lesson.dt));
    try {
        for (long f = 0; f < frames; ++f) static_cast<void>(stepper->advance(state, lesson.dt, steps));
    } catch (const physics::Divergence&) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const Eigen::Map<const Rows<float, 3>> recorded(sequence.frame(frames), sequence.vertex_count(), 3);
    return (state.positions - recorded.cast<double>()).rowwise().norm().mean();
}

double one_step_error(const methods::ForceCell& cell, const methods::CellSamples& samples) {
    double wrong = 0, all = 0;
    const long stride = std::max(1L, samples.count() / 100'000);
    for (long i = 0; i < samples.count(); i += stride) {
        const auto [state, vertex] = samples.at(i);
        const Vector3 truth = state.accelerations.row(vertex);
        wrong +=
            (cell_acceleration(cell, *state.grid, state.positions, state.velocities, vertex) - truth).squaredNorm();
        all += truth.squaredNorm();
    }
    return std::sqrt(wrong / all);
}

}  // namespace

std::vector<std::string> ForceCellCourse::networks() const {
    if (settings_.fitting == CellFitting::LeastSquares) return {};
    return {first_round, second_round};
}

std::unique_ptr<datasets::SampleSource> ForceCellCourse::cut(const datasets::Sequence&, const std::string&) const {
    throw Error("a force cell learns from whole states, not from samples that are cut out");
}

void ForceCellCourse::fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) {
    const auto progress = [&](double fraction) {
        if (on_progress && !on_progress(fraction)) throw Error("stopped");
    };
    const Stopwatch watch;
    progress(0);
    const Lessons lessons = read_lessons(data, data.split.training, settings_.most_states);
    training_ = lessons.samples;
    progress(0.4);
    validation_ = read_lessons(data, data.split.validation, settings_.most_states).samples;
    progress(0.6);
    part_ = {.activation = settings_.design.activation,
             .softening = settings_.design.softening,
             .time_step = lessons.dt,
             .material = lessons.material};
    const methods::CellDesign& design = settings_.design;
    if (settings_.fitting == CellFitting::LeastSquares) {
        fitted_ = fit_least_squares(*training_, design, settings_.most_samples).cell;
    } else if (settings_.units == CellUnits::Evolved) {
        parameters_ = evolved_parameters(*training_, design, settings_.most_samples, settings_.evolution, start_);
    } else {
        parameters_ = whitened_parameters(*training_, design, settings_.most_samples);
        start_ = uniform_start(parameters_, settings_.evolution.seed);
    }
    card.training_minutes += watch.milliseconds() / 60'000;
    progress(1);
}

std::unique_ptr<methods::CellLearner> ForceCellCourse::first_learner() const {
    return std::make_unique<methods::CellLearner>(
        training_, validation_,
        methods::CellLearnerSettings{.design = settings_.design,
                                     .parameters = parameters_,
                                     .start = start_,
                                     .physics_share = settings_.physics_share});
}

std::unique_ptr<methods::CellLearner> ForceCellCourse::second_learner(const std::vector<float>& first) const {
    const std::unique_ptr<methods::CellLearner> before = first_learner();
    const double unit = std::clamp(10 * before->validate(first).relative_error, 1e-6, 1.0);
    methods::CellParameters corrections = parameters_;
    corrections.base = to_vector(before->cell(first));
    corrections.matrix *= unit;
    return std::make_unique<methods::CellLearner>(
        training_, validation_,
        methods::CellLearnerSettings{.design = settings_.design,
                                     .parameters = corrections,
                                     .start = VectorX::Zero(corrections.count()),
                                     .unit = unit,
                                     .physics_share = settings_.physics_share});
}

std::unique_ptr<datasets::Learner> ForceCellCourse::make_learner(const std::string& network,
                                                                 const datasets::TrainingData&,
                                                                 const Learned& earlier) const {
    if (network == first_round) return first_learner();
    return second_learner(earlier.parameters.at(first_round));
}

methods::ForceCell ForceCellCourse::cell(const Learned& learned) const {
    if (fitted_) return *fitted_;
    return second_learner(learned.parameters.at(first_round))->cell(learned.parameters.at(second_round));
}

std::map<std::string, double> ForceCellCourse::test_errors(const Learned& learned,
                                                           const datasets::TrainingData& data) const {
    const methods::ForceCell found = cell(learned);
    double one_step = 0, free_running = 0;
    for (const size_t index : data.split.test) {
        const datasets::Sequence& sequence = data.sequences[index];
        const CellLesson lesson = cell_lesson(sequence, 20);
        const methods::ForceCell fitting = carried_over(found, part_.material, lesson.material);
        one_step += one_step_error(fitting, methods::CellSamples(lesson.states));
        free_running += free_running_error(fitting, sequence);
    }
    const auto count = static_cast<double>(data.split.test.size());
    if (count == 0) return {};
    std::map<std::string, double> errors = {{"one_step_relative", one_step / count}};
    if (std::isfinite(free_running)) errors["free_running_mean"] = free_running / count;
    return errors;
}

methods::ModelCard ForceCellCourse::save(const std::filesystem::path& file, methods::ModelCard card,
                                         const Learned& learned, const datasets::TrainingData&) const {
    card.family = to_json(part_);
    methods::save_force_cell(file, {.source = file.string(), .card = card, .part = part_, .cell = cell(learned)});
    return card;
}

}  // namespace tulle::scene
