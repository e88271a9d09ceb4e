// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/learner.h"
#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/methods/model_card.h"
#include "tulle/neural/network.h"
#include "tulle/neural/symmetry.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::methods {
struct GarmentLesson;
}

namespace tulle::scene {

// What a course learns from.
enum class Examples { Sequences, DrapedPoses };

// What a recipe need not say about dense networks.
struct NetworkDefaults {
    std::vector<int> hidden_layers;
    bool is_dense = true;  // false: the family brings its own learner, and a recipe has no [network], loss or engine
    // Answers are residuals, each in its own scale (training/relative_loss.h): networks start as the zero function.
    bool is_canonical = false;
};

// What came out of a training, by the names of networks().
struct Learned {
    std::map<std::string, neural::Network> networks;
    std::map<std::string, std::vector<float>> parameters;  // of learners that the family brought itself
};

// How the model of a recipe is learned, step by step; training/train_recipe.h walks through it.
class Course {
public:
    using OnProgress = std::function<bool(double fraction)>;  // false stops

    virtual ~Course() = default;

    virtual std::string weights_name() const = 0;  // of the file, unless the recipe names another
    virtual NetworkDefaults defaults() const = 0;
    virtual Examples examples() const { return Examples::Sequences; }
    virtual std::vector<std::string> networks() const = 0;  // trained one after the other

    // Samples for a network out of one sequence, which must outlive them.
    virtual std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence,
                                                        const std::string& network) const = 0;
    // That the dense layers of a network shall have.
    virtual std::optional<neural::Symmetry> symmetry(const std::string& /*network*/) const { return {}; }
    // What learns from them, on top of what was learned before it; null: dense layers.
    virtual std::unique_ptr<datasets::Learner> make_learner(const std::string& /*network*/,
                                                            const datasets::TrainingData&,
                                                            const Learned& /*earlier*/) const {
        return nullptr;
    }
    // What a learner that takes libtorch is made of, known after fit; it belongs to the course. Null: make_learner
    // says.
    virtual const methods::GarmentLesson* garment_lesson() const { return nullptr; }

    // What is fitted to sequences besides networks, before them. Adds what it measured to the card.
    virtual bool fits_first() const { return false; }
    virtual void fit(const datasets::TrainingData&, const OnProgress&, methods::ModelCard&) {}
    virtual long fitted_pairs() const { return 0; }  // that it looked at
    // The same for a file that was trained before: everything else in it stays.
    virtual methods::ModelCard fit_again(const std::filesystem::path& file, const datasets::TrainingData& data,
                                         const OnProgress& on_progress);

    // What is found out about the networks, once they are learned, on sequences that are kept from learning.
    virtual void judge(const Learned& /*learned*/, const datasets::TrainingData&) {}
    // Errors on the test sequences; none if none of them can tell.
    virtual std::map<std::string, double> test_errors(const Learned& learned,
                                                      const datasets::TrainingData& data) const = 0;
    // Puts the family's part into the card and writes the weights file.
    virtual methods::ModelCard save(const std::filesystem::path& file, methods::ModelCard card, const Learned& learned,
                                    const datasets::TrainingData& data) const = 0;
};

}  // namespace tulle::scene
