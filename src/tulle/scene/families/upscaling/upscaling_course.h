// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/upscaling_kind.h"
#include "tulle/scene/families/course.h"
#include "tulle/scene/families/upscaling/judge_networks.h"

namespace tulle::scene {

class TableReader;

// How many sequences and seconds the coarse cloth is fitted to.
struct CalibrationSettings {
    int sequences = 4;
    int evaluations = 100;
    double seconds = 1.5;  // [s]
};

// Samples of a coarse cloth that was simulated, beside those of perfect ones.
struct SimulatedCoarseSettings {
    int frames = 0;   // until it is set back to the full simulation; 0: no such samples
    int repeats = 1;  // how often each of them counts
};

struct UpscalingCourseSettings {
    std::string method;  // of a learned kind
    std::string name;    // of what it is for: a scene, or "general"
    int factor = 2;
    methods::Features features = methods::Features::Canonical;
    methods::Scaling scaling = methods::Scaling::Calibrated;
    CalibrationSettings calibration;
    SimulatedCoarseSettings simulated_coarse;
};

// From sequences of the full simulation to the networks of a miniature or a hierarchy, and the coarse cloth before
// them.
class UpscalingCourse final : public Course {
public:
    explicit UpscalingCourse(const UpscalingCourseSettings& settings)
        : settings_(settings), kind_(methods::upscaling_kind(settings.method)) {}

    const UpscalingCourseSettings& settings() const { return settings_; }

    std::string weights_name() const override;
    NetworkDefaults defaults() const override;
    std::vector<std::string> networks() const override;
    std::optional<neural::Symmetry> symmetry(const std::string& network) const override;
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence,
                                                const std::string& network) const override;
    bool fits_first() const override {
        return settings_.scaling == methods::Scaling::Calibrated || settings_.simulated_coarse.frames > 0;
    }
    void fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) override;
    methods::ModelCard fit_again(const std::filesystem::path& file, const datasets::TrainingData& data,
                                 const OnProgress& on_progress) override;
    void judge(const Learned& learned, const datasets::TrainingData& data) override;
    std::map<std::string, double> test_errors(const Learned& learned,
                                              const datasets::TrainingData& data) const override;
    methods::ModelCard save(const std::filesystem::path& file, methods::ModelCard card, const Learned& learned,
                            const datasets::TrainingData& data) const override;

private:
    void simulate_coarse_cloths(const datasets::TrainingData& data);
    Sources cut_all(const datasets::TrainingData& data, const std::vector<size_t>& part,
                    const std::string& network) const;

    UpscalingCourseSettings settings_;
    const methods::UpscalingKind& kind_;
    methods::Calibration calibration_;                                   // fitted
    std::map<const datasets::Sequence*, datasets::Sequence> simulated_;  // coarse cloths, by the full simulation
    std::map<std::string, methods::Trust> trust_;                        // judged, by network
};

// The keys of a recipe that are the family's own: factor, features, scaling, [calibration].
UpscalingCourseSettings read_upscaling_course(TableReader& recipe, const std::string& method, const std::string& name);

// What an upscaler of a sequence's cloth makes. Throws an Error that names the sequence if its mesh was not subdivided
// as often as the factor asks.
methods::FineCloth fine_cloth_of(const datasets::Sequence& sequence, int factor);

}  // namespace tulle::scene
