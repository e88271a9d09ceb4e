// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/force_cell_model.h"
#include "tulle/methods/force_cell/large_step_fit.h"
#include "tulle/scene/families/course.h"

#include <string>

namespace tulle::scene {

class TableReader;

struct LargeStepCourseSettings {
    methods::LargeStepFitSettings fit;  // its time step comes from the sequences
    long most_pairs = 16;               // of each sequence
};

// Reads [large_step] of a recipe.
LargeStepCourseSettings read_large_step_course(TableReader& recipe);

// How a force cell of larger steps is learnt: the cell in closed form, then the layer in closed form.
class LargeStepCourse final : public Course {
public:
    explicit LargeStepCourse(const LargeStepCourseSettings& settings) : settings_(settings) {}

    std::string weights_name() const override;
    NetworkDefaults defaults() const override { return {.hidden_layers = {}, .is_dense = false}; }
    std::vector<std::string> networks() const override { return {}; }
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence&, const std::string&) const override;
    bool fits_first() const override { return true; }
    void fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) override;
    long fitted_pairs() const override { return pairs_; }
    std::map<std::string, double> test_errors(const Learned& learned,
                                              const datasets::TrainingData& data) const override;
    methods::ModelCard save(const std::filesystem::path& file, methods::ModelCard card, const Learned& learned,
                            const datasets::TrainingData& data) const override;

private:
    LargeStepCourseSettings settings_;
    methods::ForceCellCard part_;  // known after fit
    methods::ForceCell cell_;
    double relative_error_ = 0;
    long pairs_ = 0;
};

}  // namespace tulle::scene
