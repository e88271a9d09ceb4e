// SPDX-License-Identifier: Apache-2.0
// What the page of the paper on coerced networks is made of: trained or mended networks, one for each row, number of
// examples and seed. A finished cell is a weights file whose card holds its figures, so that a reproduction that was
// stopped goes on with what is missing.
#pragma once

#include "tulle/core/timer.h"
#include "tulle/methods/garment/garment_errors.h"
#include "tulle/scene/families/garment/garment_course.h"
#include "tulle/training/reproduce/coerced_rows.h"
#include "tulle/training/reproduce/reproduction.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::training {

// Figures of one cell, by the names of figure_name().
using Figures = std::map<std::string, double>;
enum class PoseSet { Training, Validation, Test };
std::string figure_name(PoseSet set, const std::string& measure);  // "test_sqrt_mse"

// [mm], [mm²] and [s]
inline const std::vector<std::string> measures = {"sqrt_mse",   "max_dist",          "compression",
                                                  "stretching", "compression_error", "stretching_error",
                                                  "seconds",    "gradient_seconds"};

// What poses the cells learn and are measured on.
struct CoercedPoses {
    std::string folder;  // in data/, beside that of the cells: "shirt", "coercing"
    std::string cells;
    int count = 0;
    double within = 1;  // share of the joints' limits that they are drawn in
};
CoercedPoses all_poses(const ReproduceSettings& settings);
CoercedPoses half_the_range(const ReproduceSettings& settings);

class CoercedCells {
public:
    CoercedCells(Reproduction& run, const CoercedPoses& poses);

    int examples_of_table_1() const { return small_; }
    // All there are; the same as table 1 if there are not twice as many.
    int examples_of_table_2() const { return large_; }
    const datasets::TrainingData& data() const { return data_; }
    const scene::DrapedLessons& lessons() const { return *lessons_; }
    std::string budget() const;  // in words

    // Train and measure what is not there yet, until the time is over.
    void make_rows(const std::vector<CoercedRow>& rows, const Stopwatch& watch);  // of few examples
    void make_further(const Stopwatch& watch);                                    // all others

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
    int seeds() const { return run_.quick() ? 1 : run_.settings().seeds; }
    void make_all(const std::vector<CoercedRow>& rows, int examples, int seed, const Stopwatch& watch);
    std::filesystem::path file(const CoercedRow& row, int examples, std::uint64_t seed) const;
    std::filesystem::path start_of(const CoercedRow& row, int examples, std::uint64_t seed) const;  // empty: none
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
