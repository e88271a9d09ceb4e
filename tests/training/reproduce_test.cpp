// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/error.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/training/parameters.h"
#include "tulle/training/reproduce/metric_loss.h"
#include "tulle/training/reproduce/order_in_words.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::training {

namespace {

constexpr double spacing = 0.1;  // [m]

// A grid of 9×13 vertices with waves that become steeper from frame to frame.
datasets::Sequence waves(const std::string& name, double phase) {
    datasets::Sequence sequence{.name = name, .scene_name = "waves", .grid = {9, 13}, .frame_time = 0.04};
    sequence.mesh = geometry::make_grid_cloth(sequence.grid, {.width = 12 * spacing, .height = 8 * spacing}).mesh;
    for (int frame = 0; frame < 6; ++frame)
        for (long v = 0; v < sequence.mesh.positions.rows(); ++v) {
            const Vector3 rest = sequence.mesh.positions.row(v);
            const double height = 0.01 * (frame + 1) * std::sin(20 * rest.x() + 15 * rest.z() + phase);
            for (const double number : {rest.x(), height, rest.z()})
                sequence.positions.push_back(static_cast<float>(number));
        }
    return sequence;
}

datasets::TrainingData wave_data() {
    datasets::TrainingData data;
    for (int i = 0; i < 3; ++i) data.sequences.push_back(waves("waves", i));
    data.split = {.training = {0}, .validation = {1}, .test = {2}};
    return data;
}

// [m²] of bicubic interpolation, mean over all numbers of all patches, by the definition.
double bicubic_loss(const datasets::Sequence& sequence) {
    const methods::PatchInterpolation interpolation(2);
    double sum = 0, count = 0;
    for (long frame = 0; frame < sequence.frame_count(); ++frame) {
        const methods::GridPoints grid{sequence.grid, sequence.frame(frame)};
        for (int row = 0; row + 2 < sequence.grid.rows; ++row)
            for (int column = 0; column + 2 < sequence.grid.columns; ++column) {
                const auto around = methods::neighbourhood(grid, {.row = row, .column = column, .step = 2});
                for (int v = 0; v < 9; ++v, count += 3)
                    sum += static_cast<double>(
                        (grid.at(row + v / 3, column + v % 3) - interpolation.at(v, around)).squaredNorm());
            }
    }
    return sum / count;
}

}  // namespace

TEST_CASE("A canonical network that answers zero has the loss of bicubic interpolation, in square metres") {
    const datasets::TrainingData data = wave_data();
    const Subject subject = patches(2, methods::Features::Canonical);
    const scene::UpscalingCourse course(subject.course);
    const CutSamples samples(data.sequences, data.split.test, course, subject.network);
    const std::vector<int> sizes = {samples.set().input_size(), 16, samples.set().output_size()};
    const std::vector<float> zeros(static_cast<size_t>(parameter_count(sizes)));
    const neural::Network silent = make_network(sizes, zeros, neural::Activation::Relu,
                                                neural::Normalisation::identity(sizes.front(), sizes.back()));
    const AnswerTerms terms{.unit = 2 * spacing, .symmetry = course.symmetry(subject.network)};
    const MetricLoss loss = metric_loss(silent, samples.set(), terms, 1'000'000);
    CHECK(loss.answers == loss.zeros);
    CHECK(loss.zeros == test::near(bicubic_loss(data.sequences[2])).epsilon(1e-3));
}

TEST_CASE("A trial is measured in metres, says whether it was flat, and is kept") {
    const test::TemporaryFolder folder;
    const datasets::TrainingData data = wave_data();
    for (const auto features : {methods::Features::Paper, methods::Features::Canonical}) {
        CAPTURE(to_string(features));
        const Subject subject = patches(2, features);
        const Trial trial{.subject = subject, .hidden = hidden_of_equal_cost(subject, {16}), .minutes = 0.01};
        const auto file = folder / to_string(features);
        const TrialResult first = keep_trial(file, data, trial, {});
        CHECK(first.history.back().validation_loss < 0.1);
        CHECK_FALSE(first.is_flat);  // its rounds are too short for that
        if (features == methods::Features::Canonical) CHECK(first.test_loss < first.interpolation_loss);
        const TrialResult again = keep_trial(file, data, trial, [](double) -> bool { throw Error("trained again"); });
        CHECK(again.test_loss == test::near(first.test_loss));
        CHECK(again.history.size() == first.history.size());
        CHECK(again.history.back().validation_loss == test::near(first.history.back().validation_loss));
        Trial longer = trial;
        longer.minutes = 0.02;
        CHECK_THROWS_WITH((void)keep_trial(file, data, longer, [](double) -> bool { throw Error("trained again"); }),
                          "trained again");
    }
}

TEST_CASE("Networks of equal cost are compared") {
    const Subject paper = patches(2, methods::Features::Paper), ours = patches(2, methods::Features::Canonical);
    CHECK(hidden_of_equal_cost(paper, {64, 64, 64}) == std::vector{64, 64, 64});
    CHECK(hidden_of_equal_cost(ours, {64, 64, 64}) == std::vector{192, 192, 192});
    CHECK(hidden_of_equal_cost(triangles(2, methods::Features::Canonical), {32, 32}) == std::vector{64, 64});
}

TEST_CASE("The order of rows is told, and where it differs from the paper's") {
    CHECK(order_in_words("Flag", {{"a", 1, 5}, {"b", 2, 6}}) == "Flag: the order is the paper's; best first, a, b.");
    CHECK(order_in_words("Flag", {{"a", 1, 6}, {"b", 2, 5}, {"c", 3, 7}}) ==
          "Flag: best first, the paper has a, b, c; we have b, a, c (places there → here: b 2→1, a 1→2).");
}

TEST_CASE("A cell says whether it was flat or what its last round still gained") {
    TrialResult flat, stopped;
    flat.last_gain = 0.01;
    flat.is_flat = true;
    stopped.last_gain = 0.12;
    CHECK(cell_text("1e-3", flat) == "1e-3 flat");
    CHECK(cell_text("1e-3", stopped) == "1e-3 ↓12 %");
    const std::string words = plateau_in_words({{"a", &flat}, {"b", &stopped}});
    CHECK(words.find("1 of these 2 cells were flat and 1 were stopped by the budget") != std::string::npos);
    CHECK(words.find("between 1 % (a) and 12 % (b)") != std::string::npos);
    CHECK(plateau_in_words({{"a", &flat}}).find("time is not what orders them") != std::string::npos);
}

}  // namespace tulle::training
