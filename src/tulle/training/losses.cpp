// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/losses.h"
#include "tulle/training/dense_kernel.h"

#include "tulle/core/parallel.h"
#include "tulle/neural/fused_network.h"
#include "tulle/training/flush_denormals.h"
#include "tulle/training/relative_loss.h"
#include "tulle/training/sample_order.h"

#include <algorithm>
#include <cmath>

namespace tulle::training {

namespace {

struct Sums {
    double loss = 0;
    double squared_error = 0;
    double squared_target = 0;
};

class Measurement {
public:
    Measurement(const neural::Network& network, const SampleSet& samples, Loss loss)
        : network_(network), fused_(network), samples_(samples), loss_(loss), order_(samples.count(), 0x76616c) {}

    // Of one tile of samples, in the fixed random order.
    Sums of_tile(long begin, long end) const {
        const FlushDenormals flush;  // on every thread alike
        const auto inputs = static_cast<size_t>(samples_.input_size());
        const auto outputs = static_cast<size_t>(samples_.output_size());
        const auto count = static_cast<size_t>(end - begin);
        std::vector<float> input(count * inputs), target(count * outputs), prediction(count * outputs);
        for (size_t i = 0; i < count; ++i)
            samples_.cut(order_[begin + static_cast<long>(i)], {&input[i * inputs], inputs},
                         {&target[i * outputs], outputs});
        fused_.evaluate_tile(input.data(), prediction.data(), static_cast<int>(count));
        if (loss_ == Loss::Relative) return relative_sums(target, prediction, outputs);
        Sums sums;
        for (size_t i = 0; i < target.size(); ++i) {
            const double error = static_cast<double>(prediction[i]) - static_cast<double>(target[i]);
            sums.loss += size_of(error, static_cast<long>(i % outputs));
            sums.squared_error += error * error;
            sums.squared_target += static_cast<double>(target[i]) * static_cast<double>(target[i]);
        }
        return sums;
    }

private:
    static Sums relative_sums(const std::vector<float>& target, std::vector<float>& prediction, size_t outputs) {
        const size_t answers = outputs - methods::answer_heads;
        Sums sums;
        for (size_t first = 0; first < target.size(); first += outputs) {
            const float scale = std::exp(methods::held_log_scale(prediction[first + answers]));
            for (size_t i = first; i < first + answers; ++i) {
                const double wanted = target[i], said = scale * prediction[i];
                sums.squared_error += (said - wanted) * (said - wanted);
                sums.squared_target += wanted * wanted;
            }
            const float loss = differentiate_relative(&target[first], static_cast<int>(outputs), &prediction[first]);
            sums.loss += static_cast<double>(loss) * static_cast<double>(outputs);
        }
        return sums;
    }

    double size_of(double error, long output) const {
        if (loss_ != Loss::Huber) return error * error;
        const auto scale = static_cast<double>(network_.normalisation.output_scale(output));
        constexpr double width = huber_width;
        const double relative = std::abs(error) / scale;
        return scale * scale * (relative < width ? 0.5 * relative * relative : width * (relative - 0.5 * width));
    }

    const neural::Network& network_;
    neural::FusedNetwork fused_;
    const SampleSet& samples_;
    Loss loss_;
    SampleOrder order_;
};

}  // namespace

Errors measure_errors(const neural::Network& network, const SampleSet& samples, Loss loss, long max_samples) {
    const long count = std::min(samples.count(), max_samples);
    if (count <= 0) return {};
    const Measurement measurement(network, samples, loss);
    constexpr long tile = neural::FusedNetwork::tile;
    const long tiles = (count + tile - 1) / tile;
    std::vector<Sums> parts(static_cast<size_t>(tiles));
    const auto measure = [&](long t) {
        parts[static_cast<size_t>(t)] = measurement.of_tile(t * tile, std::min(count, (t + 1) * tile));
    };
    parallel_for(tiles, measure);
    Sums total;  // in order, so that bits do not depend on threads
    for (const Sums& part : parts) {
        total.loss += part.loss;
        total.squared_error += part.squared_error;
        total.squared_target += part.squared_target;
    }
    const double numbers = static_cast<double>(count) * samples.output_size();
    return {.loss = mean_from_sum(loss, total.loss, numbers),
            .relative_error = std::sqrt(total.squared_error / std::max(total.squared_target, 1e-300)),
            .samples = count};
}

double mean_loss(const neural::Network& network, const SampleSet& samples, Loss loss, long max_samples) {
    return measure_errors(network, samples, loss, max_samples).loss;
}

double mean_from_sum(Loss loss, double sum, double numbers) {
    const double mean = sum / std::max(numbers, 1.0);
    return loss == Loss::Rmse ? std::sqrt(mean) : mean;
}

}  // namespace tulle::training
