// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/garment_course.h"

#include "tulle/core/error.h"
#include "tulle/methods/garment/garment_errors.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace tulle::scene {

namespace {

constexpr double same_place = 1e-3;  // [m]

// Weights that were trained before go with the normalisation that they were trained with.
methods::GarmentModel model_to_start_with(const GarmentCourseSettings& settings, const DrapedLessons& lessons) {
    methods::GarmentModel model = methods::load_garment(settings.start);
    const Positions places = lessons.rest_places();
    if (model.joints != lessons.joints() || model.rest_places.rows() != places.rows() ||
        (model.rest_places - places).cwiseAbs().maxCoeff() > same_place)
        throw Error("'{}' is of another garment, body or joints than the poses to learn from; leave out `start`",
                    settings.start.string());
    return model;
}

methods::GarmentModel random_model(const GarmentCourseSettings& settings, const DrapedLessons& lessons,
                                   const methods::GarmentExamples& training) {
    neural::ImageNetworkSizes sizes = settings.sizes;
    sizes.inputs = static_cast<int>(training.front().inputs.size());
    methods::GarmentModel model;
    model.joints = lessons.joints();
    model.rotations = settings.rotations;
    model.network = neural::random_image_network(sizes, settings.seed);
    model.rest_places = lessons.rest_places();
    measure_normalisation(training, model);
    return model;
}

}  // namespace

methods::GarmentLesson make_garment_lesson(const GarmentCourseSettings& settings, const DrapedLessons& lessons,
                                           const std::vector<datasets::DrapedExample>& drapes,
                                           const datasets::Split& split) {
    std::optional<methods::GarmentModel> known;
    if (!settings.start.empty()) known = model_to_start_with(settings, lessons);
    const methods::JointRotations rotations = known ? known->rotations : settings.rotations;
    methods::GarmentExamples training = lessons.examples(drapes, split.training, rotations);
    if (settings.mirror)
        std::ranges::move(lessons.mirrored_examples(drapes, split.training, rotations), std::back_inserter(training));
    methods::GarmentModel start = known ? std::move(*known) : random_model(settings, lessons, training);
    if (settings.learnt_mu != methods::LearntMu::No || !settings.projection.quasistatics) start.mu.resize(0);
    start.projection = settings.projection;
    const int height = start.network.height(), width = start.network.width();
    const geometry::TriangleMesh& worn = lessons.worn();
    return {.cloth = lessons.cloth(),
            .image = methods::PatternImage(worn.tex_coords, worn.triangles, height, width),
            .pixels = methods::rasterise(worn.tex_coords, worn.triangles, height, width),
            .start = std::move(start),
            .learnt_mu = settings.learnt_mu,
            .mu_rate = settings.mu_rate,
            .loss = settings.loss,
            .training = std::move(training),
            .validation = lessons.examples(drapes, split.validation, rotations),
            .test = lessons.examples(drapes, split.test, rotations)};
}

std::unique_ptr<datasets::SampleSource> GarmentCourse::cut(const datasets::Sequence&, const std::string&) const {
    throw Error("a garment is learnt from draped poses, not from samples that are cut out of sequences");
}

void GarmentCourse::fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard&) {
    if (on_progress && !on_progress(0)) throw Error("stopped");
    const DrapedLessons lessons(data.drapes.front());
    rest_offsets_ = lessons.rest_offsets();
    lesson_ = std::make_unique<const methods::GarmentLesson>(
        make_garment_lesson(settings_, lessons, data.drapes, data.split));
}

std::map<std::string, double> GarmentCourse::test_errors(const Learned& learned, const datasets::TrainingData&) const {
    const methods::GarmentModel model = model_with(*lesson_, learned.parameters.at("garment"));
    const auto measure = [&](const methods::Infer& infer, const methods::Mending& mending = {}) {
        return measure_garment(lesson_->cloth, lesson_->test, infer, mending);
    };
    const methods::Infer network = by_network(model, lesson_->image);
    std::map<std::string, double> errors;
    const auto add = [&](const std::string& name, const methods::GarmentErrors& measured) {
        errors[name + "_sqrt_mse"] = measured.sqrt_mse;
        errors[name + "_max_dist"] = measured.max_dist;
    };
    add("skinning_at_rest_offsets", measure(methods::by_offsets(rest_offsets_)));
    add("skinning_at_mean_offsets", measure(methods::by_offsets(model.mean_offsets)));
    const methods::GarmentErrors alone = measure(network);
    add("network", alone);
    errors["network_compression"] = alone.energy_errors.compression;
    errors["network_stretching"] = alone.energy_errors.stretching;
    if (!model.projection.is_any()) return errors;
    const auto projection = projections::make_projection(lesson_->cloth, model.projection);
    const methods::GarmentErrors mended = measure(network, {.projection = projection.get(), .mu = model.mu});
    add("projected", mended);
    errors["projected_compression"] = mended.energy_errors.compression;
    errors["projected_stretching"] = mended.energy_errors.stretching;
    return errors;
}

methods::ModelCard GarmentCourse::save(const std::filesystem::path& file, methods::ModelCard card,
                                       const Learned& learned, const datasets::TrainingData&) const {
    methods::GarmentModel model = model_with(*lesson_, learned.parameters.at("garment"));
    model.source = file.string();
    model.card = std::move(card);
    save_garment(file, model);
    return methods::load_garment(file).card;
}

}  // namespace tulle::scene
