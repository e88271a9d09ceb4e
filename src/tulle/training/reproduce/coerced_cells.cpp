// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/coerced_cells.h"

#include "tulle/core/error.h"
#include "tulle/core/timer.h"
#include "tulle/training/garment_learner.h"
#include "tulle/training/load_data.h"
#include "tulle/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::training {

namespace fs = std::filesystem;
using methods::LearntMu;

namespace {

constexpr int paper_examples = 1000;
constexpr int poses_to_make = 4250;
constexpr int most_measured = 200;  // training examples that are measured

TrainerSettings budget_alone(bool quick, int examples, std::uint64_t seed) {
    return {.learning_rate = 3e-3,
            .batch = 16,
            .epochs = quick                       ? 2
                      : examples > paper_examples ? 80'000 / examples
                                                  : 50,
            .seed = seed};
}

// Weights that have converged would be thrown off by larger steps.
TrainerSettings budget_coerced(bool quick, int examples, std::uint64_t seed) {
    return {.learning_rate = 3e-4,
            .batch = 16,
            .samples_per_epoch = std::min(examples, paper_examples),
            .epochs = quick ? 1 : 3,
            .seed = seed};
}

datasets::TrainingData load(Reproduction& run) {
    const fs::path root = run.quick() ? run.output() : run.project();
    const fs::path folder = root / "data" / "shirt";
    const bool is_empty = !fs::exists(folder) || fs::is_empty(folder);
    const int poses = run.settings().poses > 0 ? run.settings().poses
                      : !run.quick()           ? poses_to_make
                      : is_empty               ? 10
                                               : 0;  // whatever there is
    const DataSource source{
        .folder = folder, .scene = run.project() / "scenes" / "shirt.toml", .sweep = {}, .part = {}, .poses = poses};
    return load_data({source}, scene::Examples::DrapedPoses, 1, [&](const RecipeProgress& now) {
        run.progress(now.stage, now.fraction);
        return true;
    });
}

methods::GarmentExamples some_of(const methods::GarmentExamples& all) {
    const size_t stride = (all.size() + most_measured - 1) / most_measured;
    methods::GarmentExamples some;
    for (size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
    return some;
}

void add_figures(PoseSet set, const methods::GarmentErrors& errors, Figures& figures) {
    constexpr double mm = 1e3, mm2 = 1e6;
    const std::vector<double> values = {mm * errors.sqrt_mse,
                                        mm * errors.max_dist,
                                        mm2 * errors.energies.compression,
                                        mm2 * errors.energies.stretching,
                                        mm2 * errors.energy_errors.compression,
                                        mm2 * errors.energy_errors.stretching,
                                        errors.projection_seconds,
                                        errors.gradient_seconds};
    for (size_t i = 0; i < measures.size(); ++i) figures[figure_name(set, measures[i])] = values[i];
    if (set != PoseSet::Test) return;
    figures["true_compression"] = mm2 * errors.true_energies.compression;
    figures["true_stretching"] = mm2 * errors.true_energies.stretching;
}

Figures measure(const methods::GarmentModel& model, const methods::GarmentLesson& lesson) {
    const auto projection = projections::make_projection(lesson.cloth, model.projection);
    const methods::Infer infer = by_network(model, lesson.image);
    const methods::Mending mending{.projection = projection.get(), .mu = model.mu};
    Figures figures;
    add_figures(PoseSet::Training, measure_garment(lesson.cloth, some_of(lesson.training), infer, mending), figures);
    add_figures(PoseSet::Validation, measure_garment(lesson.cloth, lesson.validation, infer, mending), figures);
    add_figures(PoseSet::Test, measure_garment(lesson.cloth, lesson.test, infer, mending), figures);
    const methods::Infer skinned = methods::by_offsets(model.mean_offsets);
    figures["skinning"] = 1e3 * measure_garment(lesson.cloth, lesson.test, skinned).sqrt_mse;
    return figures;
}

}  // namespace

CoercedRow network_alone() { return {.name = "network"}; }

CoercedRow told_of_parents() {
    return {.name = "network-from-parent", .rotations = methods::JointRotations::FromParent};
}

CoercedRow mirrored(CoercedRow row) {
    row.name += "-mirrored";
    row.is_mirrored = true;
    return row;
}

CoercedRow inextensible(bool is_trained) {
    CoercedRow row{.name = is_trained ? "inextensible" : "inextensible-after", .is_trained = is_trained};
    row.projection.inextensibility = projections::InextensibilitySettings{.stretch = 0.01, .tolerance = 1e-4};
    return row;
}

CoercedRow quasistatic(double mu, bool is_trained) {
    CoercedRow row{.name = fmt::format("quasistatic-{}{}", mu, is_trained ? "" : "-after"), .is_trained = is_trained};
    row.projection.quasistatics =
        projections::QuasistaticsSettings{.mu = mu, .tolerance = 1e-3, .adjoint_tolerance = 1e-3};
    return row;
}

CoercedRow learnt_mu(double start) {
    CoercedRow row = quasistatic(start, true);
    row.name += "-learnt";
    row.learnt_mu = LearntMu::Global;
    return row;
}

CoercedRow vertex_mu() {
    CoercedRow row = quasistatic(0.1, true);
    row.name += "-vertex";
    row.learnt_mu = LearntMu::Vertex;
    return row;
}

std::vector<CoercedRow> rows_of_tables() {
    std::vector<CoercedRow> rows = {network_alone()};
    for (const double mu : {0.01, 0.1, 1.0})
        for (const bool is_trained : {false, true}) rows.push_back(quasistatic(mu, is_trained));
    for (const bool is_trained : {false, true}) rows.push_back(inextensible(is_trained));
    rows.push_back(vertex_mu());
    return rows;
}

std::vector<CoercedRow> rows_of_many_examples() {
    return {network_alone(), inextensible(false), inextensible(true), quasistatic(0.01, false),
            quasistatic(0.01, true)};
}

std::vector<CoercedRow> rows_of_learnt_mu() { return {learnt_mu(0.1), learnt_mu(1), learnt_mu(0.01)}; }

std::vector<CoercedRow> mirrored_rows() {
    return {mirrored(network_alone()), mirrored(quasistatic(0.01, false)), mirrored(quasistatic(0.01, true))};
}

std::vector<CoercedRow> further_rows() {
    return {told_of_parents(), quasistatic(0.001, false), quasistatic(0.001, true)};
}

std::string figure_name(PoseSet set, const std::string& measure) {
    const char* name = set == PoseSet::Training ? "training" : set == PoseSet::Validation ? "validation" : "test";
    return fmt::format("{}_{}", name, measure);
}

CoercedCells::CoercedCells(Reproduction& run)
    : run_(run), folder_((run.quick() ? run.output() : run.project()) / "data" / "coercing"), data_(load(run)) {
    fs::create_directories(folder_);
    lessons_ = std::make_unique<const scene::DrapedLessons>(data_.drapes.front());
    const int all = static_cast<int>(data_.split.training.size());
    small_ = std::min(all, paper_examples);
    large_ = all >= 2 * small_ ? all : small_;  // a few more would show nothing
}

std::string CoercedCells::budget() const {
    const TrainerSettings alone = budget_alone(run_.quick(), small_, 1),
                          coerced = budget_coerced(run_.quick(), small_, 1);
    return fmt::format(
        "{} epochs of Adam from {:g} for the network alone ({} of {} examples, half as many if mirror images are "
        "learnt too), then {} epochs of {} examples from {:g} through a projection, which begin with the weights of "
        "the "
        "network alone (the paper does not say where its began)",
        alone.epochs, alone.learning_rate, budget_alone(run_.quick(), large_, 1).epochs, large_, coerced.epochs,
        coerced.samples_per_epoch, coerced.learning_rate);
}

fs::path CoercedCells::file(const CoercedRow& row, int examples, std::uint64_t seed) const {
    return folder_ / fmt::format("{}-{}-{}.safetensors", row.name, examples, seed);
}

void CoercedCells::work() {
    const Stopwatch watch;
    const double limit = run_.settings().minutes;
    const int seeds = run_.quick() ? 1 : run_.settings().seeds;
    const auto go_on = [&] { return limit == 0 || watch.milliseconds() / 60'000 < limit; };
    const auto make_all = [&](const std::vector<CoercedRow>& rows, int examples, int seed) {
        for (const CoercedRow& row : rows)
            if (go_on()) make(row, examples, static_cast<std::uint64_t>(seed));
    };
    for (int seed = 1; seed <= seeds; ++seed) make_all(rows_of_tables(), small_, seed);
    for (int seed = 1; seed <= seeds; ++seed) {
        if (large_ > small_) make_all(rows_of_many_examples(), large_, seed);
        make_all(rows_of_learnt_mu(), small_, seed);
        if (large_ > small_) make_all(mirrored_rows(), large_, seed);
        make_all(further_rows(), small_, seed);
    }
}

std::optional<methods::GarmentModel> CoercedCells::find(const CoercedRow& row, int examples, std::uint64_t seed) const {
    const fs::path place = file(row, examples, seed);
    if (!fs::exists(place)) return {};
    return methods::load_garment(place);
}

std::optional<double> CoercedCells::value(const CoercedRow& row, int examples, int seed,
                                          const std::string& figure) const {
    const auto model = find(row, examples, static_cast<std::uint64_t>(seed));
    if (!model || !model->card.test_error.contains(figure)) return {};
    return model->card.test_error.at(figure);
}

std::vector<double> CoercedCells::values(const CoercedRow& row, int examples, const std::string& figure) const {
    std::vector<double> found;
    for (int seed = 1; seed <= run_.settings().seeds; ++seed)
        if (const auto one = value(row, examples, seed, figure)) found.push_back(*one);
    return found;
}

std::vector<double> CoercedCells::ratios(const CoercedRow& above, const std::string& figure, const CoercedRow& below,
                                         const std::string& figure_below, int examples) const {
    std::vector<double> found;
    for (int seed = 1; seed <= run_.settings().seeds; ++seed) {
        const auto upper = value(above, examples, seed, figure), lower = value(below, examples, seed, figure_below);
        if (upper && lower) found.push_back(*upper / *lower);
    }
    return found;
}

std::vector<double> CoercedCells::test_values(const CoercedRow& row, int examples, const std::string& measure) const {
    return values(row, examples, figure_name(PoseSet::Test, measure));
}

std::vector<double> CoercedCells::learnt(const CoercedRow& row, int examples) const {
    std::vector<double> found;
    for (int seed = 1; seed <= run_.settings().seeds; ++seed)
        if (const auto model = find(row, examples, static_cast<std::uint64_t>(seed)))
            found.push_back(model->projection.quasistatics->mu);
    return found;
}

void CoercedCells::make(const CoercedRow& row, int examples, std::uint64_t seed) {
    const fs::path place = file(row, examples, seed);
    if (fs::exists(place)) return;
    datasets::Split split = data_.split;
    split.training.resize(static_cast<size_t>(examples));
    scene::GarmentCourseSettings settings{
        .name = row.name, .start = {}, .rotations = row.rotations, .mirror = row.is_mirrored};
    settings.projection = row.projection;
    settings.learnt_mu = row.learnt_mu;
    settings.mu_rate = 300;  // steps are small; μ has as few of them as the weights, and farther to go
    settings.seed = seed;
    const CoercedRow alone = row.is_mirrored ? mirrored(network_alone()) : network_alone();
    if (row.projection.is_any()) settings.start = file(alone, examples, seed);
    if (!settings.start.empty() && !fs::exists(settings.start)) return;  // there was no time for it
    const methods::GarmentLesson lesson = make_garment_lesson(settings, *lessons_, data_.drapes, split);
    const Stopwatch watch;
    methods::GarmentModel model = row.is_trained ? trained(row, lesson, place, seed) : lesson.start;
    const double minutes = watch.milliseconds() / 60'000;
    run_.progress("measuring " + row.name, 0);
    model.source = place.string();
    model.card = {.method = "garment", .scene = "t-shirt", .data = fmt::format("{} poses", examples)};
    model.card.test_error = measure(model, lesson);
    if (row.is_trained) model.card.test_error["training_minutes"] = minutes;
    save_garment(place, model);
}

methods::GarmentModel CoercedCells::trained(const CoercedRow& row, const methods::GarmentLesson& lesson,
                                            const fs::path& place, std::uint64_t seed) const {
    GarmentLearner learner(lesson);
    const int samples = static_cast<int>(lesson.training.size());
    const TrainerSettings settings = row.projection.is_any() ? budget_coerced(run_.quick(), samples, seed)
                                                             : budget_alone(run_.quick(), samples, seed);
    const std::string what = "training " + place.stem().string();
    const TrainerFiles files{.checkpoint = fs::path(place).replace_extension(".train"),
                             .log = fs::path(place).replace_extension(".csv"),
                             .resume = true};
    const FitResult result = fit(learner, settings, files, [&](const TrainProgress& now) {
        run_.progress(what, now.fraction);
        return true;
    });
    if (result.diverged) throw Error("{}: {}", what, result.message);
    return model_with(lesson, result.parameters);
}

}  // namespace tulle::training
