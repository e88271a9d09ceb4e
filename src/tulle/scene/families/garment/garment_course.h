// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/garment/garment_lesson.h"
#include "tulle/neural/image_parameters.h"
#include "tulle/scene/families/course.h"
#include "tulle/scene/families/garment/draped_lessons.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace tulle::scene {

class TableReader;

struct GarmentCourseSettings {
    std::string name;
    std::filesystem::path start;                                            // weights to begin with; empty: random ones
    methods::JointRotations rotations = methods::JointRotations::FromRoot;  // unless there are weights to begin with
    bool mirror = false;  // whether training sees each example also as a mirror shows it
    neural::ImageNetworkSizes sizes = {};
    methods::GarmentLoss loss = {};
    projections::ProjectionSettings projection = {};
    methods::LearntMu learnt_mu = methods::LearntMu::No;
    double mu_rate = 100;
    std::uint64_t seed = 1;  // of random weights
};

// Reads start, rotations, mirror, [image], [loss] and [layer] of a recipe, and the seed of [training].
GarmentCourseSettings read_garment_course(TableReader& recipe, const std::string& name);

// Everything that training takes, out of draped poses. Throws an Error if the weights to begin with do not fit them.
methods::GarmentLesson make_garment_lesson(const GarmentCourseSettings& settings, const DrapedLessons& lessons,
                                           const std::vector<datasets::DrapedExample>& drapes,
                                           const datasets::Split& split);

// How a garment's network is learnt: from poses on which the garment rests.
class GarmentCourse final : public Course {
public:
    explicit GarmentCourse(GarmentCourseSettings settings) : settings_(std::move(settings)) {}

    std::string weights_name() const override { return "garment-" + settings_.name + ".safetensors"; }
    NetworkDefaults defaults() const override { return {.hidden_layers = {}, .is_dense = false}; }
    Examples examples() const override { return Examples::DrapedPoses; }
    std::vector<std::string> networks() const override { return {"garment"}; }
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence&, const std::string&) const override;
    bool fits_first() const override { return true; }
    void fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) override;
    const methods::GarmentLesson* garment_lesson() const override { return lesson_.get(); }
    std::map<std::string, double> test_errors(const Learned& learned,
                                              const datasets::TrainingData& data) const override;
    methods::ModelCard save(const std::filesystem::path& file, methods::ModelCard card, const Learned& learned,
                            const datasets::TrainingData& data) const override;

private:
    GarmentCourseSettings settings_;
    std::unique_ptr<const methods::GarmentLesson> lesson_;  // after fit
    Positions rest_offsets_;                                // |V|×3 [m] likewise
};

}  // namespace tulle::scene
