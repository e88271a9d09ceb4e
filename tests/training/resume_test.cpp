// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temporary_folder.h"
#include "tests/training/training_samples.h"
#include "tulle/training/trainer.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>

namespace tulle::training {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The log without the times, which differ from run to run.
std::vector<std::string> epochs_of(const fs::path& log) {
    std::vector<std::string> rows;
    std::istringstream lines(text_of(log));
    for (std::string line; std::getline(lines, line);) {
        const size_t second = line.find(',', line.find(',') + 1);
        rows.push_back(line.substr(0, second) + line.substr(line.find(',', second + 1)));
    }
    return rows;
}

struct Case {
    neural::Network truth = random_network({6, 8, 4}, 21);
    FunctionSource training_source = network_source(3000, truth, 1);
    FunctionSource validation_source = network_source(300, truth, 2);
    SampleSet training{{&training_source}};
    SampleSet validation{{&validation_source}};
    TrainerSettings settings{.hidden = {16, 16}, .batch = 128, .samples_per_epoch = 1000, .epochs = 9, .threads = 1};
    test::TemporaryFolder folder;
    TrainerFiles files{.checkpoint = folder / "x.train", .log = folder / "x.csv", .resume = true};

    TrainResult run(const OnProgress& on_progress = {}) const {
        return train(training, validation, settings, files, on_progress);
    }
};

}  // namespace

TEST_CASE("A training that is stopped at any batch and resumed ends with the same bits and log") {
    const Case whole;
    const TrainResult expected = whole.run();
    const Case parts;
    Random random(5);
    int stops = 0;
    TrainResult result = expected;
    do {
        long batches = 1 + static_cast<long>(random.uniform(0, 20));
        result = parts.run([&](const TrainProgress&) { return --batches > 0; });
    } while (result.stopped && ++stops < 1000);
    CHECK(stops > 3);
    CHECK(parameters_of(result.network) == parameters_of(expected.network));
    CHECK(result.best_validation_loss == expected.best_validation_loss);
    CHECK(result.history.back().training_loss == expected.history.back().training_loss);
    CHECK(epochs_of(parts.files.log) == epochs_of(whole.files.log));
}

TEST_CASE("A training that is killed with kill -9 and resumed ends with the same bits and log") {
    const Case whole;
    const TrainResult expected = whole.run();
    Case parts;
    parts.files.checkpoint_interval = 0;  // after every batch, so that kills hit the writing too
    for (int kill = 0; kill < 5; ++kill) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            (void)parts.run([](const TrainProgress&) { return ::usleep(2000) == 0 || errno == EINTR; });
            ::_exit(0);
        }
        for (int ms = 0; ms < 60'000 && !fs::exists(parts.files.checkpoint); ++ms) ::usleep(1000);
        ::usleep(static_cast<useconds_t>(20'000 + 7000 * kill));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    CHECK(fs::exists(parts.files.checkpoint));
    const TrainResult result = parts.run();
    CHECK(parameters_of(result.network) == parameters_of(expected.network));
    CHECK(epochs_of(parts.files.log) == epochs_of(whole.files.log));
}

TEST_CASE("A finished training goes on when its budget grows, and is not repeated when it does not") {
    Case more;
    (void)more.run();
    long batches = 0;
    (void)more.run([&](const TrainProgress&) { return ++batches > 0; });
    CHECK(batches == 0);
    more.settings.epochs = 10;
    CHECK(more.run().history.size() == 10);
}

TEST_CASE("A checkpoint of another training is refused with what differs") {
    Case other;
    (void)other.run();
    other.settings.learning_rate = 0.5;
    CHECK_THROWS_WITH((void)other.run(), doctest::Contains("its learning rate was 0.001, now it is 0.5"));
    other.settings.learning_rate = 1e-3;
    const FunctionSource changed = network_source(3000, other.truth, 77);
    CHECK_THROWS_WITH((void)train(SampleSet({&changed}), other.validation, other.settings, other.files),
                      doctest::Contains("fingerprint of the samples"));
}

TEST_CASE("A broken checkpoint is refused wherever it is broken") {
    const Case broken;
    (void)broken.run();
    const std::string sound = text_of(broken.files.checkpoint);
    const auto refuses = [&](const std::string& bytes) {
        std::ofstream(broken.files.checkpoint, std::ios::binary) << bytes;
        CHECK_THROWS_WITH((void)broken.run(), doctest::Contains("cannot resume from"));
    };
    refuses("");
    refuses("hello");
    refuses(sound.substr(0, 20));
    refuses(sound.substr(0, sound.size() - 4));
    refuses(sound + "more");
    Random random(3);
    for (int i = 0; i < 20; ++i) {
        std::string bytes = sound;
        bytes[random.bits() % bytes.size()] ^= static_cast<char>(1u << random.bits() % 8);
        refuses(bytes);
    }
}

}  // namespace tulle::training
