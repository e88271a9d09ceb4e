// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/upscaling_course.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/datasets/joined_samples.h"
#include "tulle/evaluation/teacher_forcing.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/interpolation_upscaler.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/upscaling/calibrate.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/scene/families/upscaling/simulate_coarse.h"
#include "tulle/scene/families/upscaling/stiffness_of.h"

#include <algorithm>
#include <bit>

namespace tulle::scene {

using methods::Features;
using methods::Scaling;

namespace {

bool is_simulated(const datasets::Sequence& sequence) { return !sequence.scene_text.empty(); }

// A subdivided mesh: its scene knows the coarse one. Surfaces made by formulas were subdivided twice.
geometry::TriangleMesh coarsest_mesh(const datasets::Sequence& sequence, int levels) {
    if (!is_simulated(sequence)) {
        geometry::TriangleMesh mesh = sequence.mesh;
        for (int level = 0; level < levels; ++level) mesh = geometry::coarsen(mesh);
        return mesh;
    }
    try {
        Scene coarse = parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder);
        coarse.cloth.subdivisions -= levels;
        coarse.cloth.particle_masses = {1.0};
        coarse.pins.clear();
        if (coarse.cloth.subdivisions < 0) throw Error("its mesh is not subdivided {} times", levels);
        return make_model(coarse).mesh;
    } catch (const Error& error) {
        throw Error("'{}' cannot teach {} levels: {}", sequence.name, levels, error.what());
    }
}

std::vector<int> fine_vertices_of(const methods::FineCloth& fine, int factor) {
    if (fine.grid) return geometry::make_miniature(*fine.grid, factor).fine_vertices();
    return geometry::mesh_hierarchy(fine.coarsest, std::countr_zero(static_cast<unsigned>(factor)))
        .fine_vertices.front();
}

bool divides(const geometry::GridSize& grid, int factor) {
    return grid.rows == 0 || ((grid.rows - 1) % factor == 0 && (grid.columns - 1) % factor == 0);
}

geometry::GridSize common_grid(const std::vector<datasets::Sequence>& sequences) {
    const geometry::GridSize first = sequences.front().grid;
    const bool same = std::all_of(sequences.begin(), sequences.end(),
                                  [&](const datasets::Sequence& sequence) { return sequence.grid == first; });
    return same ? first : geometry::GridSize{0, 0};
}

Sequences choose(const datasets::TrainingData& data, const std::vector<size_t>& part, size_t most) {
    Sequences chosen;
    for (const size_t i : part)
        if (is_simulated(data.sequences[i]) && chosen.size() < most) chosen.push_back(&data.sequences[i]);
    return chosen;
}

struct Fitted {
    methods::Calibration calibration;
    double by_similarity = 0, calibrated = 0;  // [m] on the test sequences
};

// Multipliers are a fluke of their sequences, and not kept, unless they bring the coarse cloth nearer on others too.
Fitted calibrate_on(const datasets::TrainingData& data, const UpscalingCourseSettings& course,
                    const Course::OnProgress& on_progress) {
    CalibrateSettings settings{.law = {.factor = course.factor},
                               .seconds = course.calibration.seconds,
                               .evaluations = course.calibration.evaluations};
    settings.on_evaluation = [&](int done, int total) {
        return !on_progress || on_progress(static_cast<double>(done) / total);
    };
    const auto most = static_cast<size_t>(course.calibration.sequences);
    const methods::Calibration found = calibrate(choose(data, data.split.training, most), settings).calibration;
    const auto error = [&](const std::vector<size_t>& part, const methods::Calibration& calibration) {
        return coarse_error(choose(data, part, part.size()), settings, calibration);
    };
    const bool helps = error(data.split.validation, found) < error(data.split.validation, {});
    Fitted fitted{.calibration = helps ? found : methods::Calibration{}};
    fitted.by_similarity = error(data.split.test, {});
    fitted.calibrated = error(data.split.test, fitted.calibration);
    return fitted;
}

// [m] of mean errors, over sequences.
struct Sums {
    double ours = 0, interpolation = 0, count = 0;
};

// What a network is compared with.
const methods::UpscalingKind& interpolation_of(const methods::FineCloth& fine) {
    return methods::upscaling_kind(fine.grid ? "bicubic" : "butterfly");
}

void note_errors(const Fitted& fitted, methods::ModelCard& card) {
    card.test_error["coarse_by_similarity"] = fitted.by_similarity;
    card.test_error["coarse_calibrated"] = fitted.calibrated;
}

}  // namespace

methods::FineCloth fine_cloth_of(const datasets::Sequence& sequence, int factor) {
    methods::FineCloth fine{.mesh = sequence.mesh, .grid = {}, .frame_time = sequence.frame_time, .coarsest = {}};
    if (is_simulated(sequence))
        fine.stiffness =
            stiffness_of(parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder), sequence.mesh);
    if (sequence.grid.rows > 0)
        fine.grid = sequence.grid;
    else
        fine.coarsest = coarsest_mesh(sequence, std::countr_zero(static_cast<unsigned>(factor)));
    return fine;
}

std::string UpscalingCourse::weights_name() const {
    return scene::weights_name(settings_.method, settings_.name, settings_.factor, settings_.features);
}

NetworkDefaults UpscalingCourse::defaults() const {
    return {.hidden_layers = kind_.usual_hidden_layers(), .is_canonical = is_canonical(settings_.features)};
}

std::vector<std::string> UpscalingCourse::networks() const { return kind_.network_names(settings_.factor); }

std::optional<neural::Symmetry> UpscalingCourse::symmetry(const std::string&) const {
    if (!is_canonical(settings_.features)) return {};
    return kind_.symmetry(settings_.factor, settings_.features);
}

std::unique_ptr<datasets::SampleSource> UpscalingCourse::cut(const datasets::Sequence& sequence,
                                                             const std::string& network) const {
    const methods::FineCloth fine = fine_cloth_of(sequence, settings_.factor);
    methods::Cut cut{.factor = settings_.factor, .features = settings_.features, .network = network};
    auto perfect = kind_.cut(sequence, fine, cut);
    const auto simulated = simulated_.find(&sequence);
    if (simulated == simulated_.end()) return perfect;
    cut.coarse = &simulated->second;
    return std::make_unique<datasets::JoinedSamples>(std::move(perfect), kind_.cut(sequence, fine, cut),
                                                     settings_.simulated_coarse.repeats);
}

void UpscalingCourse::fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) {
    if (settings_.scaling == Scaling::Calibrated) {
        const Fitted fitted = calibrate_on(data, settings_, on_progress);
        calibration_ = fitted.calibration;
        note_errors(fitted, card);
    }
    if (settings_.simulated_coarse.frames > 0) simulate_coarse_cloths(data);
}

void UpscalingCourse::simulate_coarse_cloths(const datasets::TrainingData& data) {
    const CoarseningLaw law{.factor = settings_.factor, .scaling = settings_.scaling, .calibration = calibration_};
    std::vector<const datasets::Sequence*> full;
    for (const datasets::Sequence& sequence : data.sequences)
        if (is_simulated(sequence) && divides(sequence.grid, settings_.factor)) full.push_back(&sequence);
    std::vector<datasets::Sequence> coarse(full.size());
    parallel_tasks(static_cast<long>(full.size()), [&](long i) {
        const auto k = static_cast<size_t>(i);
        coarse[k] = simulate_coarse(*full[k], law, settings_.simulated_coarse.frames);
    });
    for (size_t k = 0; k < full.size(); ++k) simulated_.emplace(full[k], std::move(coarse[k]));
}

methods::ModelCard UpscalingCourse::fit_again(const std::filesystem::path& file, const datasets::TrainingData& data,
                                              const OnProgress& on_progress) {
    methods::UpscalingModel model = methods::load_upscaling_model(file);
    if (model.part.scaling != Scaling::Calibrated)
        throw Error("'{}' has {} scaling, so there is nothing to calibrate", file.string(),
                    to_string(model.part.scaling));
    const Fitted fitted = calibrate_on(data, settings_, on_progress);
    model.part.calibration = fitted.calibration;
    note_errors(fitted, model.card);
    save_upscaling_model(file, model);
    return model.card;
}

Sources UpscalingCourse::cut_all(const datasets::TrainingData& data, const std::vector<size_t>& part,
                                 const std::string& network) const {
    Sources samples;
    for (const size_t index : part) samples.push_back(cut(data.sequences[index], network));
    return samples;
}

void UpscalingCourse::judge(const Learned& learned, const datasets::TrainingData& data) {
    if (!is_canonical(settings_.features)) return;
    for (const auto& [name, network] : learned.networks)
        trust_[name] = JudgedAnswers(network, cut_all(data, data.split.validation, name)).find_trust();
}

std::map<std::string, double> UpscalingCourse::test_errors(const Learned& learned,
                                                           const datasets::TrainingData& data) const {
    constexpr long every_frame = 5;
    const methods::UpscalingModel model{
        .source = weights_name(),
        .card = {.method = settings_.method},
        .part = {.factor = settings_.factor, .features = settings_.features, .trust = trust_},
        .networks = learned.networks};
    std::map<std::string, Sums> sums;  // by what their ratio is called
    for (const size_t index : data.split.test) {
        const datasets::Sequence& sequence = data.sequences[index];
        if (!divides(sequence.grid, settings_.factor)) continue;  // its patches teach, but it has no coarse cloth
        const methods::FineCloth fine = fine_cloth_of(sequence, settings_.factor);
        const std::vector<int> coarse = fine_vertices_of(fine, settings_.factor);
        const auto error = [&](const methods::Upscaler& upscaler) {
            return evaluation::teacher_forced_error(upscaler, coarse, sequence, every_frame).mean;
        };
        const methods::UpscalingKind& interpolation = interpolation_of(fine);
        Sums& of = sums[(is_simulated(sequence) ? "relative_to_" : "developable_relative_to_") + interpolation.name()];
        ++of.count;
        of.ours += error(*kind_.make_upscaler(fine, settings_.factor, &model));
        of.interpolation += error(*interpolation.make_upscaler(fine, settings_.factor, {}));
    }
    std::map<std::string, double> errors;
    for (const auto& [name, of] : sums) errors[name] = of.ours / of.interpolation;
    const Sums &grids = sums["relative_to_bicubic"], &meshes = sums["relative_to_butterfly"];
    if (grids.count > 0) errors["bicubic_mean"] = grids.interpolation / grids.count;
    if (grids.count + meshes.count > 0)
        errors["teacher_forced_mean"] = (grids.ours + meshes.ours) / (grids.count + meshes.count);
    for (const auto& [name, trust] : trust_)
        errors["within_bound_of_" + name] =
            JudgedAnswers(learned.networks.at(name), cut_all(data, data.split.test, name)).within_bounds(trust);
    return errors;
}

methods::ModelCard UpscalingCourse::save(const std::filesystem::path& file, methods::ModelCard card,
                                         const Learned& learned, const datasets::TrainingData& data) const {
    const methods::UpscalingCard part{.factor = settings_.factor,
                                      .features = settings_.features,
                                      .scaling = settings_.scaling,
                                      .calibration = calibration_,
                                      .corrects_coarse = settings_.simulated_coarse.frames > 0,
                                      .trust = trust_,
                                      .grid = common_grid(data.sequences)};
    card.family = to_json(part);
    methods::save_upscaling_model(file,
                                  {.source = file.string(), .card = card, .part = part, .networks = learned.networks});
    return card;
}

}  // namespace tulle::scene
