// SPDX-License-Identifier: Apache-2.0
// What the page of the paper on coerced networks is made of: trained or mended networks, one for each row, number of
// examples and seed. A finished cell is a weights file whose card holds its figures, so that a reproduction that was
// stopped goes on with what is missing.
#pragma once

#include "tulle/methods/garment/garment_errors.h"
#include "tulle/scene/families/garment/garment_course.h"
#include "tulle/training/reproduce/reproduction.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::training {

// A row of a table.
struct CoercedRow {
    std::string name;  // of its files
    projections::ProjectionSettings projection = {};
    bool is_trained = true;  // if not, it is the network alone, mended afterwards
    methods::LearntMu learnt_mu = methods::LearntMu::No;
    methods::JointRotations rotations = methods::JointRotations::FromRoot;
    bool is_mirrored = false;  // each example is also learnt as a mirror shows it
};

CoercedRow network_alone();
CoercedRow told_of_parents();  // the network alone, told how each joint is turned against its parent
CoercedRow mirrored(CoercedRow row);
CoercedRow inextensible(bool is_trained);
CoercedRow quasistatic(double mu, bool is_trained);
CoercedRow learnt_mu(double start);
CoercedRow vertex_mu();
std::vector<CoercedRow> rows_of_tables();         // of those of few examples
std::vector<CoercedRow> rows_of_many_examples();  // of table 2, and of quasistatics
std::vector<CoercedRow> rows_of_learnt_mu();
std::vector<CoercedRow> mirrored_rows();  // of many examples
std::vector<CoercedRow> further_rows();   // of few examples; not in the paper

// Figures of one cell, by the names of figure_name().
using Figures = std::map<std::string, double>;
enum class PoseSet { Training, Validation, Test };
std::string figure_name(PoseSet set, const std::string& measure);  // "test_sqrt_mse"

// [mm], [mm²] and [s]
inline const std::vector<std::string> measures = {"sqrt_mse",   "max_dist",          "compression",
                                                  "stretching", "compression_error", "stretching_error",
                                                  "seconds",    "gradient_seconds"};

class CoercedCells {
public:
    explicit CoercedCells(Reproduction& run);

    int examples_of_table_1() const { return small_; }
    // All there are; the same as table 1 if there are not twice as many.
    int examples_of_table_2() const { return large_; }
    const datasets::TrainingData& data() const { return data_; }
    const scene::DrapedLessons& lessons() const { return *lessons_; }
    std::string budget() const;  // in words

    // Trains and measures all that is not there yet, what matters most first, until the time is over.
    void work();

    // Null: it has not been made.
    std::optional<methods::GarmentModel> find(const CoercedRow& row, int examples, std::uint64_t seed) const;
    // A figure of all seeds that there are; what was measured of all poses together is called as it is.
    std::vector<double> values(const CoercedRow& row, int examples, const std::string& figure) const;
    std::vector<double> test_values(const CoercedRow& row, int examples, const std::string& measure) const;
    std::vector<double> learnt(const CoercedRow& row, int examples) const;  // μ of those
    // A figure over another, of each seed that has both.
    std::vector<double> ratios(const CoercedRow& above, const std::string& figure, const CoercedRow& below,
                               const std::string& figure_below, int examples) const;

private:
    std::filesystem::path file(const CoercedRow& row, int examples, std::uint64_t seed) const;
    std::optional<double> value(const CoercedRow& row, int examples, int seed, const std::string& figure) const;
    void make(const CoercedRow& row, int examples, std::uint64_t seed);
    methods::GarmentModel trained(const CoercedRow& row, const methods::GarmentLesson& lesson,
                                  const std::filesystem::path& place, std::uint64_t seed) const;

    Reproduction& run_;
    std::filesystem::path folder_;
    datasets::TrainingData data_;
    std::unique_ptr<const scene::DrapedLessons> lessons_;
    int small_ = 0, large_ = 0;
};

}  // namespace tulle::training
