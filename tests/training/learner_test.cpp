// SPDX-License-Identifier: Apache-2.0
// The trainer knows nothing of networks: whatever has parameters and a gradient is fitted, stopped and resumed.
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/training/trainer.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::training {

namespace {

// A straight line y = a x + b through points of a known one, by least squares.
class Line final : public datasets::Learner {
public:
    explicit Line(std::vector<float> start = {0, 0}) : start_(std::move(start)) {}

    long parameter_count() const override { return 2; }
    std::vector<float> initial_parameters() const override { return start_; }
    long sample_count() const override { return 100; }
    datasets::BatchLoss gradient(std::span<const long> batch, std::span<const float> p, std::span<float> g) override {
        datasets::BatchLoss loss;
        g[0] = g[1] = 0;
        for (const long i : batch) {
            const float error = p[0] * x(i) + p[1] - truth(i);
            loss.sum += static_cast<double>(error) * static_cast<double>(error);
            g[0] += 2 * error * x(i) / static_cast<float>(batch.size());
            g[1] += 2 * error / static_cast<float>(batch.size());
        }
        return loss;
    }
    double mean_loss(double sum, long samples) const override { return sum / static_cast<double>(samples); }
    datasets::ValidationErrors validate(std::span<const float> p) const override {
        const double slope = static_cast<double>(p[0]) - 3, offset = static_cast<double>(p[1]) + 1;
        return {.loss = slope * slope + offset * offset,
                .relative_error = std::abs(slope) + std::abs(offset),
                .samples = 1};
    }
    std::map<std::string, std::string> identity() const override { return {{"kind", "line"}}; }

private:
    static float x(long i) { return static_cast<float>(i) / 50 - 1; }
    static float truth(long i) { return 3 * x(i) - 1; }

    std::vector<float> start_;
};

const TrainerSettings settings{.learning_rate = 0.05, .batch = 20, .epochs = 200};

}  // namespace

TEST_CASE("A line is fitted to its points") {
    Line line;
    const FitResult result = fit(line, settings);
    CHECK(result.parameters[0] == test::near(3).epsilon(1e-3));
    CHECK(result.parameters[1] == test::near(-1).epsilon(1e-3));
    CHECK(result.best_error < 1e-2);
    CHECK_FALSE(result.diverged);
}

// Its first steps are as long as the learning rate, however small the gradient is.
TEST_CASE("Good weights that a restart shakes have not diverged, if it is known how bad untrained ones are") {
    Line line({3.001f, -1.001f});
    TrainerSettings restart = settings;
    restart.batch = 100;  // epochs of one step
    CHECK(fit(line, restart).diverged);
    restart.untrained_loss = 10;
    const FitResult result = fit(line, restart);
    CHECK_FALSE(result.diverged);
    CHECK(result.best_error < 1e-3);
}

TEST_CASE("A learner that is stopped and resumed ends with the same bits, and another kind is refused") {
    Line line;
    const std::vector<float> whole = fit(line, settings).parameters;
    const test::TemporaryFolder folder;
    const TrainerFiles files{.checkpoint = folder / "line.train", .resume = true};
    int batches = 0;
    CHECK(fit(line, settings, files, [&](const TrainProgress&) { return ++batches < 333; }).stopped);
    CHECK(fit(line, settings, files).parameters == whole);
    TrainerSettings other = settings;
    other.batch = 10;
    CHECK_THROWS_WITH((void)fit(line, other, files), doctest::Contains("its batch was 20, now it is 10"));
}

}  // namespace tulle::training
