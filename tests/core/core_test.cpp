// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;

TEST_CASE("A sum over threads has the same bits at any thread count") {
    const int before = thread_count();
    set_thread_count(1);
    const auto term = [](long i) { return std::sin(static_cast<double>(i)) * 1e3; };
    const double alone = parallel_sum(100'003, term);
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        CHECK(parallel_sum(100'003, term) == alone);
    }
    set_thread_count(before);
}

TEST_CASE("A parallel loop visits every index once") {
    std::vector<int> visits(10'007, 0);
    parallel_for(static_cast<long>(visits.size()), [&](long i) { ++visits[static_cast<size_t>(i)]; });
    CHECK(std::all_of(visits.begin(), visits.end(), [](int count) { return count == 1; }));
}

TEST_CASE("An exception in a parallel loop reaches the caller") {
    const auto fail = [](long i) {
        if (i == 9'000) throw Error("index {}", i);
    };
    CHECK_THROWS_WITH_AS(parallel_for(10'000, fail), "index 9000", Error);
}

TEST_CASE("Random numbers repeat with their seed and fill their range evenly") {
    Random first(7), again(7), other(8);
    CHECK(first.bits() == again.bits());
    CHECK(first.bits() != other.bits());
    double sum = 0, low = 1, high = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double value = first.uniform();
        sum += value;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    CHECK(sum / 100'000 == test::near(0.5).epsilon(0.01));
    CHECK(low >= 0);
    CHECK(low < 1e-3);
    CHECK(high < 1);
    CHECK(high > 0.999);
}

TEST_CASE("The median is the middle value") {
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({4, 1, 2, 3}) == 2);
    CHECK(median({}) == 0);
}
