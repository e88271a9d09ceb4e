// SPDX-License-Identifier: Apache-2.0
#include "tests/methods/force_cell/cells.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/cell_fit.h"
#include "tulle/methods/force_cell/cell_learner.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

// Numbers near those of the cloth, none of them zero or equal to another.
CellVector example_numbers(const physics::ClothModel& model) {
    CellVector numbers = to_vector(exact_cell(model, gravity, 0));
    Random random(3);
    for (double& number : numbers) number *= random.uniform(0.7, 1.3);
    return numbers;
}

CellDesign design_with(CellActivation activation) {
    return {.activation = activation, .softening = 1e-4, .learns_scales = true, .ties_pairs = false};
}

const std::vector<CellActivation> activations = {CellActivation::Isru, CellActivation::Tanh, CellActivation::Softsign};

}  // namespace

TEST_CASE("The gradient of a cell by each of its numbers agrees with finite differences, for every activation") {
    const physics::ClothModel model = example_cloth(true);
    const CellSamples samples = example_samples(model, 1);
    for (const CellActivation activation : activations) {
        CAPTURE(to_string(activation));
        const CellDesign design = design_with(activation);
        const CellVector numbers = example_numbers(model);
        for (const long index : {0L, 40L, 77L}) {
            const auto [state, vertex] = samples.at(index);
            CellGradient gradient, unused;
            const Vector3 said = cell_gradient(to_cell(numbers, design), state, vertex, gradient);
            CHECK((said -
                   cell_acceleration(to_cell(numbers, design), *state.grid, state.positions, state.velocities, vertex))
                      .norm() < 1e-9);
            for (int k = 0; k < cell_numbers; ++k) {
                const double step = 1e-5 * std::abs(numbers(k));
                CellVector more = numbers, less = numbers;
                more(k) += step;
                less(k) -= step;
                const Vector3 difference = (cell_gradient(to_cell(more, design), state, vertex, unused) -
                                            cell_gradient(to_cell(less, design), state, vertex, unused)) /
                                           (2 * step);
                CHECK((gradient.col(k) - difference).norm() <= 1e-6 * std::max(1.0, gradient.col(k).norm()));
            }
        }
    }
}

TEST_CASE("The learner's gradient is that of its loss, relative to a cell that says nothing") {
    const physics::ClothModel model = example_cloth();
    const auto samples = std::make_shared<const CellSamples>(example_samples(model, 2));
    for (const CellActivation activation : activations) {
        CAPTURE(to_string(activation));
        CellDesign design = design_with(activation);
        design.ties_pairs = activation == CellActivation::Isru;
        const CellParameters parameters = plain_parameters(design);
        VectorX start = VectorX::Zero(parameters.count());
        const CellVector numbers = to_vector(exact_cell(model, gravity, 0));
        for (int k = 0; k < parameters.count(); ++k) {
            int row = 0;
            parameters.matrix.col(k).maxCoeff(&row);
            start(k) = row < first_linear ? -0.2 : 0.8 * numbers(row);  // scales are counted from 1
        }
        CellLearner learner(samples, samples, {.design = design, .parameters = parameters, .start = start});
        std::vector<float> at = learner.initial_parameters(), gradient(at.size()), unused(at.size());
        std::vector<long> batch;
        for (long i = 0; i < 130; ++i) batch.push_back((i * 37) % samples->count());
        const datasets::BatchLoss loss = learner.gradient(batch, at, gradient);
        CHECK(loss.bad_sample == -1);
        const double unit = [&] {
            double sum = 0;
            for (long i = 0; i < samples->count(); ++i) {
                const auto [state, vertex] = samples->at(i);
                sum += loss_weight(state, 0.5) / 3 * state.accelerations.row(vertex).squaredNorm();
            }
            return sum / static_cast<double>(samples->count());
        }();
        for (size_t k = 0; k < at.size(); ++k) {
            const float before = at[k], step = 1e-2f * std::max(0.1f, std::abs(before));
            const auto loss_at = [&](float value) {
                at[k] = value;
                const double sum = learner.gradient(batch, at, unused).sum;
                at[k] = before;
                return learner.mean_loss(sum, static_cast<long>(batch.size())) / unit;
            };
            const float high = before + step, low = before - step;
            const double difference = (loss_at(high) - loss_at(low)) / static_cast<double>(high - low);
            CHECK(static_cast<double>(gradient[k]) == tulle::test::near(difference).epsilon(2e-2).scale(1e-6));
        }
    }
}

TEST_CASE("Both terms of equation 8 weigh the same error: impulse, and next velocity and position after drag") {
    const physics::ClothModel model = example_cloth();
    const CellSamples samples = example_samples(model, 1);
    const auto [state, vertex] = samples.at(3);
    const Vector3 error(0.3, -0.2, 0.9);  // of an acceleration
    const Vector3 velocity = state.velocities.row(vertex), acceleration = state.accelerations.row(vertex);
    const auto next = [&, &s = state, v = vertex](const Vector3& a) {
        const Vector3 next_velocity = (velocity + s.dt * a) * s.kept;
        Eigen::Matrix<double, 6, 1> both;
        both << Vector3(s.positions.row(v)) + s.dt * next_velocity, next_velocity;
        return both;
    };
    CHECK(loss_weight(state, 1) * error.squaredNorm() == tulle::test::near((state.dt * error).squaredNorm()));
    CHECK(loss_weight(state, 0) * error.squaredNorm() ==
          tulle::test::near((next(acceleration + error) - next(acceleration)).squaredNorm()).epsilon(1e-6));
}

TEST_CASE("The fit in closed form finds the springs, dashpots and gravity of the cloth") {
    for (const bool tied : {true, false}) {
        const physics::ClothModel model = example_cloth(true);
        const CellSamples samples = example_samples(model, 6);
        const CellFit fit = fit_least_squares(samples, {.softening = 0, .ties_pairs = tied}, 100'000);
        const CellVector truth = to_vector(exact_cell(model, gravity, 0));
        CHECK((to_vector(fit.cell) - truth).cwiseAbs().maxCoeff() < 1e-7 * truth.cwiseAbs().maxCoeff());
        CHECK(fit.relative_error < 1e-9);
        CHECK(has_tied_pairs(fit.cell) == tied);
    }
}

TEST_CASE("The closed form refuses filters that are learnt, and motion that does not show everything") {
    const physics::ClothModel model = example_cloth();
    CHECK(contains(error_of([&] { fit_least_squares(example_samples(model, 1), paper_design(), 1000); }), "fixed"));
    const auto grid = std::make_shared<const CellGrid>(make_cell_grid(model));
    const CellSamples still({{.grid = grid,
                              .positions = model.start_positions,
                              .velocities = Velocities::Zero(model.vertex_count(), 3),
                              .accelerations = Forces::Zero(model.vertex_count(), 3),
                              .dt = 1e-3}});
    CHECK(contains(error_of([&] { fit_least_squares(still, {}, 1000); }), "record more"));
}

TEST_CASE("The paper's cell has 29 numbers to learn, ours 21, and pinned vertices teach nothing") {
    CHECK(plain_parameters(paper_design()).count() == 29);
    CHECK(plain_parameters({}).count() == 21);
    physics::ClothModel model = example_cloth();
    const long all = example_samples(model, 2).count();
    tulle::test::pin(model, {0, 1, 2});
    CHECK(example_samples(model, 2).count() == all - 6);
}

TEST_CASE("In whitened units the normal equations are the identity") {
    const physics::ClothModel model = example_cloth();
    const CellSamples samples = example_samples(model, 6);
    const CellParameters parameters = whitened_parameters(samples, {}, 100'000);
    const CellNormal normal = normal_equations(samples, {}, parameters, VectorX::Zero(parameters.count()), 100'000);
    const Eigen::MatrixXd expected = normal.squares * Eigen::MatrixXd::Identity(parameters.count(), parameters.count());
    CHECK((normal.gram - expected).cwiseAbs().maxCoeff() < 1e-6 * normal.squares);
}

TEST_CASE("Evolution finds the signs and the scales of the branches") {
    physics::ClothModel model = example_cloth();
    const CellSamples samples = example_samples(model, 4);
    VectorX start;
    const CellParameters parameters =
        evolved_parameters(samples, {}, 20'000, {.population = 200, .generations = 80}, start);
    const ForceCell cell = to_cell(parameters.numbers(start), {});
    CHECK(cell.linear[0] > 10);
    CHECK(cell.linear[0] < 1000);
    CHECK(cell.nonlinear[0] < -1);
    CHECK(cell.nonlinear[0] > -100);
    CHECK(cell.derivative[0] > 0.03);
    CHECK(cell.derivative[0] < 3);
    CHECK(cell.bias.y() < -2);
    CHECK(cell.bias.y() > -40);
}

TEST_CASE("Fits and gradients have the same bits on any number of threads") {
    const physics::ClothModel model = example_cloth();
    const auto samples = std::make_shared<const CellSamples>(example_samples(model, 30));
    const auto run = [&](int threads) {
        const ThreadCountScope scope(threads);
        CellLearner learner(
            samples, samples,
            {.design = {}, .parameters = whitened_parameters(*samples, {}, 5000), .start = VectorX::Ones(21)});
        std::vector<float> at = learner.initial_parameters(), gradient(at.size());
        std::vector<long> batch;
        for (long i = 0; i < 1000; ++i) batch.push_back(i);
        static_cast<void>(learner.gradient(batch, at, gradient));
        gradient.push_back(static_cast<float>(learner.validate(at).loss));
        return gradient;
    };
    const std::vector<float> once = run(1);
    for (const int threads : {2, 5}) CHECK(run(threads) == once);
}
