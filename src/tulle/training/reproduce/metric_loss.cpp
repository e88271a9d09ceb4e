// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/metric_loss.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/answer_heads.h"
#include "tulle/methods/upscaling/canonical.h"
#include "tulle/neural/fused_network.h"
#include "tulle/training/sample_order.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle::training {

namespace {

// Turns what a canonical network should say and what it says, both with their heads, to metres.
void to_metres(double unit, std::span<const float> input, std::span<float> target, std::span<float> said) {
    const size_t answers = target.size() - methods::answer_heads;
    const float weight = target[answers];                            // zero: nothing is answered
    const float size = std::exp(2 * (input[input.size() - 3] - 1));  // undoes methods::size_input
    const float metres = weight == 0 ? 0 : static_cast<float>(unit) * methods::answer_scale(size);
    const float own = std::exp(methods::held_log_scale(said[answers]));
    for (size_t i = 0; i < answers; ++i) {
        target[i] *= metres;
        said[i] *= metres * own;
    }
    for (size_t i = answers; i < target.size(); ++i) target[i] = said[i] = 0;
}

class Tiles {
public:
    Tiles(const neural::Network& network, const SampleSet& samples, const AnswerTerms& terms)
        : fused_(terms.symmetry ? neural::FusedNetwork(network, *terms.symmetry) : neural::FusedNetwork(network)),
          samples_(samples),
          terms_(terms),
          order_(samples.count(), 0x6d6574) {}

    MetricLoss sums(long begin, long end) const {
        const auto inputs = static_cast<size_t>(samples_.input_size());
        const auto outputs = static_cast<size_t>(samples_.output_size());
        const auto count = static_cast<size_t>(end - begin);
        std::vector<float> input(count * inputs), target(count * outputs), said(count * outputs);
        for (size_t i = 0; i < count; ++i)
            samples_.cut(order_[begin + static_cast<long>(i)], {&input[i * inputs], inputs},
                         {&target[i * outputs], outputs});
        fused_.evaluate_tile(input.data(), said.data(), static_cast<int>(count));
        for (size_t i = 0; i < count && terms_.symmetry; ++i)
            to_metres(terms_.unit, {&input[i * inputs], inputs}, {&target[i * outputs], outputs},
                      {&said[i * outputs], outputs});
        MetricLoss sum;
        for (size_t i = 0; i < target.size(); ++i) {
            const double wanted = target[i], error = static_cast<double>(said[i]) - wanted;
            sum.answers += error * error;
            sum.zeros += wanted * wanted;
        }
        return sum;
    }

private:
    neural::FusedNetwork fused_;
    const SampleSet& samples_;
    const AnswerTerms& terms_;
    SampleOrder order_;
};

}  // namespace

MetricLoss metric_loss(const neural::Network& network, const SampleSet& samples, const AnswerTerms& terms, long most) {
    const long count = std::min(samples.count(), most);
    constexpr long tile = neural::FusedNetwork::tile;
    const long tiles = (count + tile - 1) / tile;
    const Tiles measured(network, samples, terms);
    std::vector<MetricLoss> parts(static_cast<size_t>(tiles));
    parallel_for(tiles, [&](long t) {
        parts[static_cast<size_t>(t)] = measured.sums(t * tile, std::min(count, (t + 1) * tile));
    });
    MetricLoss total;
    for (const MetricLoss& part : parts) {
        total.answers += part.answers;
        total.zeros += part.zeros;
    }
    const int heads = terms.symmetry ? methods::answer_heads : 0;
    const double numbers = static_cast<double>(count) * (samples.output_size() - heads);
    return {.answers = total.answers / numbers, .zeros = total.zeros / numbers};
}

}  // namespace tulle::training
