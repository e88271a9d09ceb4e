// SPDX-License-Identifier: Apache-2.0
// Loops over all threads whose results do not depend on how many there are: every index is worked on alone,
// and sums are taken over blocks of a fixed size that are then added in order.
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

namespace tulle {

inline void set_thread_count(int threads) {
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
}
inline int thread_count() { return omp_get_max_threads(); }

// Another number of threads for as long as it lives. Many small simulations run best on one thread each.
class ThreadCountScope {
public:
    explicit ThreadCountScope(int threads) : before_(thread_count()) { set_thread_count(threads); }
    ~ThreadCountScope() { set_thread_count(before_); }
    ThreadCountScope(const ThreadCountScope&) = delete;
    ThreadCountScope& operator=(const ThreadCountScope&) = delete;

private:
    int before_;
};

// Below this many elements a loop is not worth waking the other threads for.
inline constexpr long parallel_grain = 512;

// body(begin, end) over consecutive ranges that cover [0, count). An exception of the body reaches the caller.
template <typename Body>
void parallel_ranges(long count, const Body& body, long grain = parallel_grain) {
    if (count < grain || thread_count() == 1) {
        if (count > 0) body(0L, count);
        return;
    }
    std::exception_ptr failure;
#pragma omp parallel
    {
        const long threads = omp_get_num_threads();
        const long thread = omp_get_thread_num();
        try {
            const long begin = count * thread / threads;
            const long end = count * (thread + 1) / threads;
            if (begin < end) body(begin, end);
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

// body(i) for every i in [0, count).
template <typename Body>
void parallel_for(long count, const Body& body) {
    parallel_ranges(count, [&](long begin, long end) {
        for (long i = begin; i < end; ++i) body(i);
    });
}

// body(i) for every i in [0, count), the next one on whatever thread is free, and each alone on its thread: for large
// pieces of work that share nothing. `threads`: 0 for all. The first exception reaches the caller when all have ended.
template <typename Body>
void parallel_tasks(long count, const Body& body, int threads = 0) {
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads > 0 ? threads : thread_count())
    for (long i = 0; i < count; ++i) {
        const ThreadCountScope alone(1);
        try {
            body(i);
        } catch (...) {
#pragma omp critical
            if (!failure) failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

// The sum of term(i) over [0, count), bit-identical at any thread count.
template <typename Term>
double parallel_sum(long count, const Term& term) {
    constexpr long block = 1024;
    const long blocks = (count + block - 1) / block;
    std::vector<double> partial(static_cast<size_t>(blocks), 0.0);
    const auto sum_block = [&](long b) {
        double sum = 0;
        for (long i = b * block; i < std::min(count, (b + 1) * block); ++i) sum += term(i);
        partial[static_cast<size_t>(b)] = sum;
    };
    if (thread_count() == 1 || blocks < 4) {
        for (long b = 0; b < blocks; ++b) sum_block(b);
    } else {
#pragma omp parallel for schedule(static)
        for (long b = 0; b < blocks; ++b) sum_block(b);
    }
    double total = 0;
    for (const double value : partial) total += value;
    return total;
}

}  // namespace tulle
