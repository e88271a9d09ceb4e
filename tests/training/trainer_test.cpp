// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/trainer.h"

#include "tests/support/near.h"
#include "tests/training/training_samples.h"
#include "tulle/neural/fused_network.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::training {

TEST_CASE("A network without hidden layers learns a linear map exactly") {
    const FunctionSource training = linear_source(2000, 1), validation = linear_source(200, 2);
    const TrainerSettings settings{.hidden = {}, .learning_rate = 0.03, .batch = 100, .epochs = 40, .threads = 1};
    const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings);
    CHECK(result.best_validation_loss < 1e-9);
    CHECK(result.best_error < 1e-4);
    std::vector<float> x = {0.5f, -0.25f, 1}, y(2);
    neural::evaluate_reference(result.network, x, y);
    CHECK(y[0] == test::near(4.25).epsilon(1e-3));
    CHECK(y[1] == test::near(0.01).epsilon(1e-3));
}

TEST_CASE("Every optimiser and both engines learn what a small network says") {
    const neural::Network truth = random_network({6, 8, 4}, 21);
    const FunctionSource training = network_source(8000, truth, 1), validation = network_source(500, truth, 2);
    TrainerSettings settings{.hidden = {32, 32}, .learning_rate = 5e-3, .batch = 200, .epochs = 20, .threads = 1};
    for (const Optimiser optimiser : {Optimiser::Adam, Optimiser::AdamW, Optimiser::Sgd})
        for (const Engine engine : {Engine::Fused, Engine::Torch}) {
            if (optimiser != Optimiser::Adam && engine == Engine::Torch) continue;
            CAPTURE(to_string(optimiser));
            settings.optimiser = optimiser;
            settings.engine = engine;
            settings.learning_rate = optimiser == Optimiser::Sgd ? 0.1 : 5e-3;
            const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings);
            CHECK(result.best_error < 0.1);
            CHECK(result.history.size() == 20);
            CHECK(result.history[9].learning_rate == test::near(0.505 * settings.learning_rate));  // half of the way
            CHECK(result.history.back().learning_rate == test::near(0.01 * settings.learning_rate));
        }
}

TEST_CASE("A training has the same bits on 1 and on 3 threads") {
    const neural::Network truth = random_network({6, 8, 4}, 21);
    const FunctionSource training = network_source(5000, truth, 1), validation = network_source(500, truth, 2);
    TrainerSettings settings{.hidden = {32, 32}, .batch = 2000, .epochs = 3, .threads = 1};
    const TrainResult one = train(SampleSet({&training}), SampleSet({&validation}), settings);
    settings.threads = 3;
    const TrainResult three = train(SampleSet({&training}), SampleSet({&validation}), settings);
    CHECK(parameters_of(one.network) == parameters_of(three.network));
    CHECK(one.best_validation_loss == three.best_validation_loss);
}

TEST_CASE("A residual network starts as the zero function") {
    const FunctionSource training = linear_source(500, 1), validation = linear_source(100, 2);
    const TrainerSettings settings{.zero_last_layer = true, .center_outputs = false, .epochs = 1};
    const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings, {},
                                     [&](const TrainProgress&) { return false; });
    double zero_loss = 0;
    std::vector<float> x(3), y(2);
    for (long i = 0; i < 100; ++i) {
        validation.cut(i, x, y);
        zero_loss += (y[0] * y[0] + y[1] * y[1]) / 200.0;
    }
    CHECK(result.initial_validation_loss == test::near(zero_loss));
    CHECK(result.network.normalisation.output_mean.isZero());
}

TEST_CASE("A common scale is one number, and a number that never changes keeps a usable scale") {
    const FunctionSource source(500, 2, 2, 1, [](std::span<const float> x, std::span<float> y) {
        y[0] = 5;
        y[1] = x[0];
    });
    TrainerSettings settings{.hidden = {4}, .epochs = 1};
    const TrainResult own = train(SampleSet({&source}), SampleSet({&source}), settings);
    CHECK(own.network.normalisation.output_scale(0) > 0);
    CHECK(own.network.normalisation.output_scale(1) == test::near(1 / std::sqrt(3.0)).epsilon(0.1));
    settings.common_scale = true;
    const TrainResult common = train(SampleSet({&source}), SampleSet({&source}), settings);
    CHECK(common.network.normalisation.output_scale(0) == common.network.normalisation.output_scale(1));
    CHECK(common.network.normalisation.output_mean(0) == test::near(5));
}

TEST_CASE("The validation loss picks the best network, not the last") {
    const FunctionSource training = linear_source(1000, 1);
    // What training drives towards is wrong for validation: the network passes the validation's truth on its way.
    const FunctionSource validation(200, 3, 2, 2, [](std::span<const float> x, std::span<float> y) {
        y[0] = x[0] - 0.5f * x[1] + 3;
        y[1] = 0.005f * x[2];
    });
    const TrainerSettings settings{
        .hidden = {}, .zero_last_layer = true, .learning_rate = 0.01, .batch = 50, .epochs = 12};
    const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings);
    REQUIRE(result.history.size() == 12);
    CHECK(result.best_validation_loss < 0.5 * result.history.back().validation_loss);
    CHECK(result.best_epoch > 0);
    CHECK(result.best_epoch < 12);
    const double again = mean_loss(result.network, SampleSet({&validation}), Loss::Mse, 1000);
    CHECK(again == test::near(result.best_validation_loss));
}

TEST_CASE("A sample that is not a number stops the training with its place and keeps the best network") {
    FunctionSource training = linear_source(1000, 1);
    const FunctionSource validation = linear_source(200, 2);
    training.bad_sample = 123;
    const TrainerSettings settings{
        .hidden = {8}, .learning_rate = 0.01, .batch = 50, .samples_per_epoch = 100, .epochs = 20};
    const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings);
    CHECK(result.diverged);
    CHECK(result.message == "training sample 123 holds a number that is not finite");
    CHECK(std::isfinite(result.best_validation_loss));
    CHECK(mean_loss(result.network, SampleSet({&validation}), Loss::Mse, 200) ==
          test::near(result.best_validation_loss));
}

TEST_CASE("A training that runs away says so and keeps the best network") {
    const FunctionSource training = linear_source(1000, 1), validation = linear_source(200, 2);
    const TrainerSettings settings{.hidden = {},
                                   .optimiser = Optimiser::Sgd,
                                   .learning_rate = 20,
                                   .schedule = Schedule::Constant,
                                   .batch = 50,
                                   .epochs = 50};
    const TrainResult result = train(SampleSet({&training}), SampleSet({&validation}), settings);
    CHECK(result.diverged);
    CHECK(result.message.find("smaller learning rate") != std::string::npos);
    CHECK(std::isfinite(result.best_validation_loss));
    CHECK(result.best_validation_loss <= result.initial_validation_loss);
}

TEST_CASE("A budget in minutes ends in time and takes the learning rate down with it") {
    const FunctionSource training = linear_source(1000, 1), validation = linear_source(200, 2);
    const auto train_at = [&](double seconds_per_batch) {
        TrainerSettings settings{.hidden = {8}, .batch = 50, .minutes = 1};
        settings.clock = [seconds_per_batch, now = 0.0]() mutable { return now += seconds_per_batch; };
        return train(SampleSet({&training}), SampleSet({&validation}), settings);
    };
    const std::vector<EpochRecord> history = train_at(1).history;  // 20 batches an epoch, 60 in all
    REQUIRE(history.size() == 3);
    CHECK(history.back().samples_seen == 3000);
    CHECK(history.back().seconds == 60);
    // A cosine from 10⁻³ to 10⁻⁵ at 1/3, 2/3 and all of the budget.
    CHECK(history[0].learning_rate == test::near(1e-5 + 0.75 * 0.99e-3));
    CHECK(history[1].learning_rate == test::near(1e-5 + 0.25 * 0.99e-3));
    CHECK(history[2].learning_rate == test::near(1e-5));
    // The batch under way is finished, and the epoch ends with it.
    const std::vector<EpochRecord> slow = train_at(7).history;
    REQUIRE(slow.size() == 1);
    CHECK(slow.back().samples_seen == 9 * 50);
    CHECK(slow.back().seconds == 63);
}

TEST_CASE("Settings that make no sense are refused with what to do") {
    const FunctionSource source = linear_source(10, 1);
    const SampleSet samples({&source});
    CHECK_THROWS_WITH((void)train(samples, samples, {}), doctest::Contains("one budget"));
    CHECK_THROWS_WITH((void)train(samples, samples, {.epochs = 1, .minutes = 1}), doctest::Contains("one budget"));
    CHECK_THROWS_WITH((void)train(samples, samples, {.learning_rate = -1, .epochs = 1}), doctest::Contains("positive"));
    CHECK_THROWS_WITH((void)train(samples, {}, {.epochs = 1}), doctest::Contains("validation"));
    CHECK_THROWS_WITH(parse_loss("l1"), doctest::Contains("use mse, rmse, huber, relative"));
    CHECK(parse_schedule("step") == Schedule::Step);
}

}  // namespace tulle::training
