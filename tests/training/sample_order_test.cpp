// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/sample_order.h"
#include "tests/support/near.h"
#include "tests/training/training_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle::training {

TEST_CASE("The order visits every sample once in each pass, and each pass differs") {
    for (const long count : {1L, 2L, 3L, 5L, 1000L, 4096L, 100'003L}) {
        CAPTURE(count);
        SampleStream stream(count, 7);
        std::vector<long> first, second, all(static_cast<size_t>(count));
        for (long i = 0; i < count; ++i) first.push_back(stream[i]);
        for (long i = 0; i < count; ++i) second.push_back(stream[count + i]);
        if (count >= 1000) CHECK(first != second);
        std::iota(all.begin(), all.end(), 0L);
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        CHECK(first == all);
        CHECK(second == all);
    }
}

TEST_CASE("Neighbours in the order are far apart in the sequence") {
    const long count = 50'000;
    const SampleOrder order(count, 3);
    double sum = 0, product = 0;
    for (long i = 0; i + 1 < count; ++i) {
        const double a = static_cast<double>(order[i]) / count - 0.5,
                     b = static_cast<double>(order[i + 1]) / count - 0.5;
        sum += std::abs(a - b);
        product += a * b;
    }
    CHECK(sum / count == test::near(1.0 / 3).epsilon(0.02));  // what independent uniform numbers give
    CHECK(std::abs(product / count) < 0.002);
}

TEST_CASE("A set of sequences is one list in the order of its sequences") {
    const FunctionSource first = linear_source(3, 1), empty = linear_source(0, 2), second = linear_source(2, 3);
    const SampleSet set({&first, &empty, &second});
    REQUIRE(set.count() == 5);
    std::vector<float> x(3), y(2), expected_x(3), expected_y(2);
    set.cut(4, x, y);
    second.cut(1, expected_x, expected_y);
    CHECK(x == expected_x);
    set.cut(2, x, y);
    first.cut(2, expected_x, expected_y);
    CHECK(x == expected_x);
}

TEST_CASE("Samples of different sizes cannot be mixed") {
    const FunctionSource first = linear_source(3, 1);
    const FunctionSource second(3, 4, 2, 1, [](auto, auto) {});
    CHECK_THROWS_WITH(SampleSet({&first, &second}), doctest::Contains("cannot be mixed"));
}

}  // namespace tulle::training
