// SPDX-License-Identifier: Apache-2.0
#include "machine_peak.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace tulle::bench {

namespace {

typedef float Vector __attribute__((vector_size(32)));

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Twelve independent chains keep two units with a latency of four cycles busy. Returns a sum that must be used.
float multiply_and_add(long rounds) {
    Vector sums[12];
    // None starts at 1, which stays 1: the compiler would see that and leave the chain out.
    for (int k = 0; k < 12; ++k) sums[k] = Vector{} + static_cast<float>(k + 2);
    const Vector factor = Vector{} + 0.999f, term = Vector{} + 1e-3f;
    for (long round = 0; round < rounds; ++round)
#pragma GCC unroll 12
        for (int k = 0; k < 12; ++k) sums[k] = sums[k] * factor + term;
    Vector total{};
    for (const Vector& sum : sums) total += sum;
    return total[0] + total[5];
}

// Eight independent sums over consecutive vectors.
float read_all(const float* data, long count) {
    Vector sums[8]{};
    for (long i = 0; i + 64 <= count; i += 64)
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) sums[k] += *reinterpret_cast<const Vector*>(data + i + 8 * k);
    Vector total{};
    for (const Vector& sum : sums) total += sum;
    return total[0] + total[3];
}

// The shortest of `repeats` runs of work() on all threads [s].
template <typename Work>
double shortest(int threads, int repeats, const Work& work) {
    double best = 1e30;
    volatile float sink = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        double start = 0;
#pragma omp parallel num_threads(threads)
        {
#pragma omp barrier
#pragma omp master
            start = seconds();
            const float result = work(omp_get_thread_num());
#pragma omp critical(tulle_peak)
            sink = sink + result;
        }
        best = std::min(best, seconds() - start);
    }
    return best;
}

}  // namespace

MachinePeak measure_peak(int threads) {
    constexpr long rounds = 2'000'000;
    const double compute = shortest(threads, 12, [](int) { return multiply_and_add(rounds); });
    constexpr long floats = 64L << 20;  // 256 MB over all threads: larger than any cache
    std::vector<float> data(floats + 16, 1.0f);
    float* aligned = data.data();
    while (reinterpret_cast<unsigned long>(aligned) % 64 != 0) ++aligned;
    const long share = floats / threads / 64 * 64;
    const double read = shortest(threads, 8, [&](int thread) { return read_all(aligned + share * thread, share); });
    return {threads, 1e-9 * 2 * 8 * 12 * rounds * threads / compute,
            1e-9 * 4 * static_cast<double>(share * threads) / read};
}

}  // namespace tulle::bench
