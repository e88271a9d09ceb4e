// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/cell_fit.h"
#include "tulle/methods/force_cell/cell_learner.h"
#include "tulle/methods/force_cell/force_cell_model.h"
#include "tulle/scene/families/course.h"

#include <memory>
#include <optional>
#include <string>

namespace tulle::scene {

class TableReader;

enum class CellFitting { Training, LeastSquares };
// Units of what is learnt: uncorrelated ones out of the samples, or those that differential evolution found.
enum class CellUnits { Whitened, Evolved };

struct ForceCellCourseSettings {
    std::string name;
    methods::CellDesign design;
    CellFitting fitting = CellFitting::Training;
    CellUnits units = CellUnits::Whitened;
    methods::CellEvolution evolution;
    double physics_share = 0.5;   // α of equation 8
    long most_states = 150;       // of each sequence
    long most_samples = 200'000;  // that a fit in closed form, and the units, look at
};

// Reads [cell] of a recipe.
ForceCellCourseSettings read_force_cell_course(TableReader& recipe, const std::string& name);

// How a force cell is learnt: units or the closed form first, then the training, if there is one, in two rounds. The
// second round, the paper's post-process, learns corrections of what the first one found, in units as small as they
// are.
class ForceCellCourse final : public Course {
public:
    explicit ForceCellCourse(ForceCellCourseSettings settings) : settings_(std::move(settings)) {}

    std::string weights_name() const override { return "force-cell-" + settings_.name + ".safetensors"; }
    NetworkDefaults defaults() const override { return {.hidden_layers = {}, .is_dense = false}; }
    std::vector<std::string> networks() const override;
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence&, const std::string&) const override;
    std::unique_ptr<datasets::Learner> make_learner(const std::string& network, const datasets::TrainingData& data,
                                                    const Learned& earlier) const override;
    bool fits_first() const override { return true; }
    void fit(const datasets::TrainingData& data, const OnProgress& on_progress, methods::ModelCard& card) override;
    long fitted_pairs() const override { return training_ ? training_->count() : 0; }
    std::map<std::string, double> test_errors(const Learned& learned,
                                              const datasets::TrainingData& data) const override;
    methods::ModelCard save(const std::filesystem::path& file, methods::ModelCard card, const Learned& learned,
                            const datasets::TrainingData& data) const override;

    // What came out.
    methods::ForceCell cell(const Learned& learned) const;

private:
    std::unique_ptr<methods::CellLearner> first_learner() const;
    std::unique_ptr<methods::CellLearner> second_learner(const std::vector<float>& first) const;

    ForceCellCourseSettings settings_;
    methods::ForceCellCard part_;  // known after fit
    std::shared_ptr<const methods::CellSamples> training_, validation_;
    methods::CellParameters parameters_;
    VectorX start_;                             // of what is learnt
    std::optional<methods::ForceCell> fitted_;  // in closed form
};

}  // namespace tulle::scene
