// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/coerced_cells.h"

#include "tulle/core/error.h"
#include "tulle/training/garment_learner.h"
#include "tulle/training/history.h"
#include "tulle/training/load_data.h"
#include "tulle/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

constexpr int paper_examples = 1000;
constexpr int most_measured = 200;  // training examples that are measured

TrainerSettings budget_alone(bool quick, int examples, std::uint64_t seed) {
    return {.learning_rate = 3e-3,
            .batch = 16,
            .epochs = quick                       ? 2
                      : examples > paper_examples ? 80'000 / examples
                                                  : 50,
            .seed = seed};
}

TrainerSettings budget_coerced(bool quick, int examples, std::uint64_t seed) {
    return {.learning_rate = 3e-3,
            .batch = 16,
            .samples_per_epoch = std::min(examples, paper_examples),
            .epochs = quick ? 1 : 10,
            .seed = seed};
}

// On top of that of the network alone.
TrainerSettings budget_longer(bool quick, int examples, std::uint64_t seed) {
    TrainerSettings settings = budget_alone(quick, examples, seed);
    settings.epochs *= 2;
    return settings;
}

fs::path data_folder(const Reproduction& run) { return (run.quick() ? run.output() : run.project()) / "data"; }

// Of a training, with its seconds before it was resumed.
fs::path log_of(fs::path place) { return place.replace_extension(".csv"); }

datasets::TrainingData load(Reproduction& run, const CoercedPoses& asked) {
    const fs::path folder = data_folder(run) / asked.folder;
    const bool is_empty = !fs::exists(folder) || fs::is_empty(folder);
    const int poses = !run.quick() || run.settings().poses > 0 ? asked.count : is_empty ? 10 : 0;  // whatever there is
    const DataSource source{.folder = folder,
                            .scene = run.project() / "scenes" / "shirt.toml",
                            .sweep = {},
                            .part = {},
                            .poses = poses,
                            .within = asked.within};
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

CoercedPoses all_poses(const ReproduceSettings& settings) {
    return {.folder = "shirt", .cells = "coercing", .count = settings.poses > 0 ? settings.poses : 4250};
}

CoercedPoses half_the_range(const ReproduceSettings& settings) {
    const int count = std::min(all_poses(settings).count, paper_examples + 250);  // for validation and test
    return {.folder = "shirt-half", .cells = "coercing-half", .count = count, .within = 0.5};
}

std::string figure_name(PoseSet set, const std::string& measure) {
    const char* name = set == PoseSet::Training ? "training" : set == PoseSet::Validation ? "validation" : "test";
    return fmt::format("{}_{}", name, measure);
}

CoercedCells::CoercedCells(Reproduction& run, const CoercedPoses& poses)
    : run_(run), folder_(data_folder(run) / poses.cells), data_(load(run, poses)) {
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
        "the network alone (the paper does not say where its began). Networks that are trained longer go on for {} "
        "epochs without a projection, about as many minutes",
        alone.epochs, alone.learning_rate, budget_alone(run_.quick(), large_, 1).epochs, large_, coerced.epochs,
        coerced.samples_per_epoch, coerced.learning_rate, budget_longer(run_.quick(), small_, 1).epochs);
}

fs::path CoercedCells::file(const CoercedRow& row, int examples, std::uint64_t seed) const {
    return folder_ / fmt::format("{}-{}-{}.safetensors", row.name, examples, seed);
}

fs::path CoercedCells::start_of(const CoercedRow& row, int examples, std::uint64_t seed) const {
    const bool is_mended = row.projection.is_any();
    if (!is_mended && !row.is_longer) return {};
    CoercedRow alone = row.is_mirrored ? mirrored(network_alone()) : network_alone();
    if (is_mended && row.is_longer) alone = longer(alone);
    return file(alone, examples, seed);
}

void CoercedCells::make_all(const std::vector<CoercedRow>& rows, int examples, int seed, const Stopwatch& watch) {
    const double limit = run_.settings().minutes;
    for (const CoercedRow& row : rows)
        if (limit == 0 || watch.milliseconds() / 60'000 < limit) make(row, examples, static_cast<std::uint64_t>(seed));
}

void CoercedCells::make_rows(const std::vector<CoercedRow>& rows, const Stopwatch& watch) {
    for (int seed = 1; seed <= seeds(); ++seed) make_all(rows, small_, seed, watch);
}

void CoercedCells::make_further(const Stopwatch& watch) {
    for (int seed = 1; seed <= seeds(); ++seed) {
        if (large_ > small_) make_all(rows_of_many_examples(), large_, seed, watch);
        make_all(rows_of_learnt_mu(), small_, seed, watch);
        if (large_ > small_) make_all(mirrored_rows(), large_, seed, watch);
        make_all(further_rows(), small_, seed, watch);
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
    settings.mu_rate = 30;  // μ has as few steps as the weights, and farther to go
    settings.seed = seed;
    settings.start = start_of(row, examples, seed);
    if (!settings.start.empty() && !fs::exists(settings.start)) return;  // there was no time for it
    const methods::GarmentLesson lesson = make_garment_lesson(settings, *lessons_, data_.drapes, split);
    methods::GarmentModel model = row.is_trained ? trained(row, lesson, place, seed) : lesson.start;
    run_.progress("measuring " + row.name, 0);
    model.source = place.string();
    model.card = {.method = "garment", .scene = "t-shirt", .data = fmt::format("{} poses", examples)};
    model.card.test_error = measure(model, lesson);
    if (row.is_trained) model.card.test_error["training_minutes"] = read_log(log_of(place)).back().seconds / 60;
    save_garment(place, model);
}

methods::GarmentModel CoercedCells::trained(const CoercedRow& row, const methods::GarmentLesson& lesson,
                                            const fs::path& place, std::uint64_t seed) const {
    GarmentLearner learner(lesson);
    const int samples = static_cast<int>(lesson.training.size());
    const auto budget = row.projection.is_any() ? budget_coerced : row.is_longer ? budget_longer : budget_alone;
    const TrainerSettings settings = budget(run_.quick(), samples, seed);
    const std::string what = "training " + place.stem().string();
    const TrainerFiles files{
        .checkpoint = fs::path(place).replace_extension(".train"), .log = log_of(place), .resume = true};
    const FitResult result = fit(learner, settings, files, [&](const TrainProgress& now) {
        run_.progress(what, now.fraction);
        return true;
    });
    if (result.diverged) throw Error("{}: {}", what, result.message);
    return model_with(lesson, result.parameters);
}

}  // namespace tulle::training
