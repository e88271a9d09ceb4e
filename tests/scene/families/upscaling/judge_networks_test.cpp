// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/judge_networks.h"

#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::scene;

namespace {

// One number in, which is the answer; what it should be is off by a normal distribution of that width.
class NoisySamples final : public datasets::SampleSource {
public:
    NoisySamples(long count, double width, std::uint64_t seed) {
        Random random(seed);
        for (long i = 0; i < count; ++i) {
            const double answer = random.uniform(-1, 1);
            const double u = random.uniform(1e-9, 1), v = random.uniform(0, 2 * 3.14159265358979);
            pairs_.emplace_back(answer, answer + width * std::sqrt(-2 * std::log(u)) * std::cos(v));
        }
    }
    long count() const override { return static_cast<long>(pairs_.size()); }
    int input_size() const override { return 1; }
    int output_size() const override { return 3; }
    void cut(long index, std::span<float> input, std::span<float> output) const override {
        const auto& [answer, target] = pairs_[static_cast<size_t>(index)];
        input[0] = static_cast<float>(answer);
        output[0] = static_cast<float>(target);
        output[1] = 1;
        output[2] = 0;
    }

private:
    std::vector<std::pair<double, double>> pairs_;
};

// Says its input, at scale one, and one bound for all.
neural::Network echo(float bound) {
    neural::Network network;
    network.layers.push_back({neural::Weights::Zero(3, 1), Eigen::Vector3f(0, 0, std::log(bound))});
    network.layers[0].weights(0, 0) = 1;
    network.normalisation = neural::Normalisation::identity(1, 3);
    return network;
}

Sources noisy(double width, std::uint64_t seed) {
    Sources sources;
    for (int i = 0; i < 2; ++i)
        sources.push_back(std::make_unique<NoisySamples>(4000, width, seed + static_cast<std::uint64_t>(i)));
    return sources;
}

}  // namespace

TEST_CASE("Nine of ten errors keep the bounds that were judged, on samples that judging did not see") {
    for (const float said : {0.01f, 0.1f, 1.0f}) {  // whatever the network thinks of itself
        const methods::Trust trust = JudgedAnswers(echo(said), noisy(0.1, 1)).find_trust();
        CHECK(JudgedAnswers(echo(said), noisy(0.1, 100)).within_bounds(trust) == doctest::Approx(0.9).epsilon(0.02));
    }
    const methods::Trust trust = JudgedAnswers(echo(0.1f), noisy(0.1, 1)).find_trust();
    CHECK(JudgedAnswers(echo(0.1f), noisy(0.3, 100)).within_bounds(trust) < 0.6);  // they are not kept by worse answers
}

TEST_CASE("A network that knows nothing is taken back, one that is right is not") {
    const methods::Trust good = JudgedAnswers(echo(0.02f), noisy(0.01, 1)).find_trust();
    const methods::Trust useless = JudgedAnswers(echo(5), noisy(5, 1)).find_trust();
    CHECK(methods::weigh(0.5f, 0.02f, good).share > 0.95f);
    CHECK(methods::weigh(0.5f, 5, useless).share < 0.2f);
}
