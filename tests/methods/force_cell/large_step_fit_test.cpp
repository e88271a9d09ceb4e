// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_fit.h"

#include "tests/methods/force_cell/cells.h"
#include "tests/support/error_of.h"
#include "tulle/methods/force_cell/large_step_stepper.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

constexpr double time_step = 0.045;  // [s]

LargeStep example_layer() {
    LargeStep layer{.steps = 8, .time_step = time_step, .all_ways = VectorX(4), .across = VectorX(4)};
    layer.all_ways << 0.42, 0.44, 0.12, 0.02;
    layer.across << 0.05, 0, -0.05, 0;
    return layer;
}

LargeStep layer_of(const VectorX& coefficients) {
    return {.steps = 8, .time_step = time_step, .all_ways = coefficients.head(4), .across = coefficients.tail(4)};
}

const LargeStepFitSettings settings = {
    .steps = 8, .time_step = time_step, .degree = 3, .across_degree = 3, .margin = 0.99};

Forces answers_of(const LargeStep& layer, const LargeStepPair& pair) {
    const auto& [laplacian, grid, material] = *pair.cloth;
    return filtered(layer, laplacian, gated_normals(laplacian, grid, material.springs, pair.positions),
                    pair.accelerations);
}

// Crumpled little, so that gates are open, and answered by the layer.
std::vector<LargeStepPair> example_pairs(const LargeStep& layer, double noise) {
    physics::ClothModel model = example_cloth(true);
    tulle::test::pin(model, {0, 5, 100});
    const auto cloth = std::make_shared<const LargeStepCloth>(
        LargeStepCloth{BoxLaplacian(model), make_cell_grid(model), large_step_material(model)});
    std::vector<LargeStepPair> pairs;
    Random random(7);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        LargeStepPair pair{.cloth = cloth,
                           .positions = model.start_positions,
                           .accelerations = Forces::Zero(model.vertex_count(), 3),
                           .answers = {}};
        for (long v = 0; v < pair.positions.rows(); ++v)
            for (int i = 0; i < 3 && cloth->laplacian.moves()[static_cast<size_t>(v)]; ++i) {
                pair.positions(v, i) += random.uniform(-0.005, 0.005);
                pair.accelerations(v, i) = random.uniform(-1, 1);
            }
        pair.answers = answers_of(layer, pair);
        for (long v = 0; v < pair.positions.rows(); ++v)
            for (int i = 0; i < 3 && cloth->laplacian.moves()[static_cast<size_t>(v)]; ++i)
                pair.answers(v, i) += random.uniform(-noise, noise);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

// What normal_equations stands for, written out.
double error_written_out(const std::vector<LargeStepPair>& pairs, const VectorX& coefficients) {
    VectorX smooth(settings.smoothing);
    const double n = settings.smoothing;
    for (int j = 0; j < settings.smoothing; ++j) smooth(j) = (j == 0 ? 1 : 2) * (n - j) / (n * n);
    double sum = 0;
    for (const LargeStepPair& pair : pairs) {
        const Forces rest = pair.answers - answers_of(layer_of(coefficients), pair);
        sum += pair.cloth->laplacian.polynomial(smooth, rest).squaredNorm() / pair.answers.squaredNorm();
    }
    return sum;
}

}  // namespace

TEST_CASE("The least squares of larger steps are those of the layer, and their gradient that of finite differences") {
    const std::vector<LargeStepPair> pairs = example_pairs(example_layer(), 0.1);
    const LargeStepNormal normal = normal_equations(pairs, settings);
    VectorX at(8);
    at << 0.5, 0.3, 0.1, -0.2, 0.2, 0.1, -0.1, 0.3;
    CHECK(normal.error(at) == doctest::Approx(error_written_out(pairs, at)).epsilon(1e-9));
    const VectorX gradient = 2 * (normal.gram * at - normal.right);
    for (long i = 0; i < at.size(); ++i) {
        constexpr double step = 1e-4;
        const VectorX change = step * VectorX::Unit(8, i);
        const double difference =
            (error_written_out(pairs, at + change) - error_written_out(pairs, at - change)) / (2 * step);
        CHECK(gradient(i) == doctest::Approx(difference).epsilon(1e-6));
    }
}

TEST_CASE("A fit finds the layer that the answers came from") {
    const LargeStep truth = example_layer();
    const LargeStepFit fit = fit_large_step(example_pairs(truth, 0), settings);
    for (const double s : {0.05, 0.2, 0.5, 0.9}) {
        CHECK(polynomial_at(fit.layer.all_ways, s) == doctest::Approx(polynomial_at(truth.all_ways, s)).epsilon(0.01));
        CHECK(std::abs(polynomial_at(fit.layer.across, s) - polynomial_at(truth.across, s)) < 0.01);
    }
    CHECK(fit.relative_error < 1e-3);
    CHECK(fit.pairs == 3);
}

TEST_CASE("A fit stays stable where the answers would not be") {
    LargeStep unfiltered = example_layer();
    unfiltered.all_ways = VectorX::Unit(4, 0);  // p = 1: springs act at once and in full
    unfiltered.across.setZero();
    const std::vector<LargeStepPair> pairs = example_pairs(unfiltered, 0);
    const LargeStepMaterial& material = pairs.front().cloth->material;
    CHECK(contains(error_of([&] { require_stable(unfiltered, material); }), "would not be stable"));
    const LargeStepFit fit = fit_large_step(pairs, settings);
    require_stable(fit.layer, material);
    CHECK(fit.relative_error > 0.01);
}

TEST_CASE("A fit without anything to learn from, or of too low a degree, says so") {
    CHECK(contains(error_of([] { fit_large_step({}, settings); }), "nothing moves"));
    LargeStepFitSettings far = settings;
    far.time_step *= 20;
    far.degree = 2;
    CHECK(contains(error_of([&] { fit_large_step(example_pairs(example_layer(), 0), far); }),
                   "give them higher degrees"));
}
