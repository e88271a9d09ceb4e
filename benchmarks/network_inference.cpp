// SPDX-License-Identifier: Apache-2.0
// The networks that are shipped, for as many samples as cloths have patches, from rows to rows: microseconds a batch
// and the share of the peak that was measured just before. options.h has the command line.
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"
#include "tulle/core/timer.h"
#include "tulle/neural/fused_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace tulle;
using namespace tulle::bench;

namespace {

using Json = nlohmann::ordered_json;

neural::Network make_network(const std::vector<int>& sizes) {
    Random random(1);
    neural::Network network;
    for (size_t k = 0; k + 1 < sizes.size(); ++k) {
        const auto weight = [&] { return static_cast<float>(random.uniform(-1, 1) / std::sqrt(sizes[k])); };
        network.layers.push_back({neural::Weights::NullaryExpr(sizes[k + 1], sizes[k], weight),
                                  Eigen::VectorXf::NullaryExpr(sizes[k + 1], weight)});
    }
    network.normalisation = neural::Normalisation::identity(sizes.front(), sizes.back());
    return network;
}

// Multiplications and additions of one sample, without those of padding.
double operations(const std::vector<int>& sizes) {
    double sum = 0;
    for (size_t k = 0; k + 1 < sizes.size(); ++k) sum += 2.0 * sizes[k] * sizes[k + 1];
    return sum;
}

Json measure(const std::vector<int>& sizes, long samples, int threads, double peak_gflops) {
    set_thread_count(threads);
    const neural::FusedNetwork fused(make_network(sizes));
    std::vector<float> inputs(static_cast<size_t>(samples * sizes.front()));
    std::vector<float> outputs(static_cast<size_t>(samples * sizes.back()));
    Random random(2);
    for (float& value : inputs) value = static_cast<float>(random.uniform(-1, 1));
    std::vector<double> microseconds;
    const Stopwatch total;
    for (int round = 0; round < 20 || total.milliseconds() < 400; ++round) {
        const Stopwatch watch;
        fused.evaluate(inputs, outputs);
        microseconds.push_back(1000 * watch.milliseconds());
    }
    const double middle = median(microseconds), best = *std::ranges::min_element(microseconds);
    const double work = 1e-3 * operations(sizes) * static_cast<double>(samples);  // operations a nanosecond, times µs
    return {{"network", fmt::format("{}", fmt::join(sizes, "-"))},
            {"samples", samples},
            {"threads", threads},
            {"us_median", middle},
            {"us_best", best},
            {"gflops_median", work / middle},
            {"peak_fraction_median", work / middle / peak_gflops},
            {"peak_fraction_best", work / best / peak_gflops}};
}

void print(const Json& result) {
    fmt::print(
        "{:>17} {:7} samples, {} threads: {:9.1f} µs median, {:9.1f} best, {:3.0f} % of the peak (best {:3.0f} %)\n",
        result["network"].get<std::string>(), result["samples"].get<long>(), result["threads"].get<int>(),
        result["us_median"].get<double>(), result["us_best"].get<double>(),
        100 * result["peak_fraction_median"].get<double>(), 100 * result["peak_fraction_best"].get<double>());
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse_options(argc, argv);
    Json report{{"benchmark", "network_inference"}, {"machine", Json::array()}, {"results", Json::array()}};
    std::map<int, double> peaks;
    for (const int threads : {1, 2}) {
        const MachinePeak peak = measure_peak(threads);
        peaks[threads] = peak.gflops;
        fmt::print("{} threads: {:.0f} GFLOP/s, {:.1f} GB/s\n", threads, peak.gflops, peak.gigabytes_second);
        report["machine"].push_back(
            {{"threads", threads}, {"gflops_fp32", peak.gflops}, {"gigabytes_per_second", peak.gigabytes_second}});
    }
    for (const std::vector<int>& sizes : {std::vector{36, 64, 64, 64, 27},
                                          {48, 64, 64, 64, 27},
                                          {48, 64, 64, 64, 75},
                                          {9, 32, 32, 9},
                                          {18, 32, 32, 9}}) {
        if (fmt::format("{}", fmt::join(sizes, "-")).find(options.only) == std::string::npos) continue;
        for (const long samples : {864L, 7'000L, 100'000L})
            for (const int threads : {1, 2}) {
                report["results"].push_back(measure(sizes, samples, threads, peaks[threads]));
                print(report["results"].back());
            }
    }
    write_json(options, report);
}
