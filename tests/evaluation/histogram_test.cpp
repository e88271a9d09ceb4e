// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/histogram.h"

#include "tests/support/near.h"

#include <doctest/doctest.h>

namespace tulle::evaluation {

namespace {

Histogram even_numbers(double low, double high) {
    Histogram histogram;
    for (int i = 0; i < 10'000; ++i) histogram.add(low + (high - low) * (i + 0.5) / 10'000);
    return histogram;
}

}  // namespace

TEST_CASE("The numbers 1 to 1000 have their mean, their maximum and their percentiles") {
    Histogram histogram;
    CHECK(histogram.percentile(0.5) == 0);
    for (int i = 1; i <= 1000; ++i) histogram.add(i);
    CHECK(histogram.count() == 1000);
    CHECK(histogram.mean() == test::near(500.5));
    CHECK(histogram.max() == 1000);
    for (const double share : {0.25, 0.5, 0.95, 0.99})
        CHECK(histogram.percentile(share) == test::near(1000 * share).epsilon(0.006));
    CHECK(histogram.percentile(1) <= 1000);
}

TEST_CASE("Two streams put together are as one") {
    Histogram low = even_numbers(0, 1), both;
    for (const auto& [from, to] : {std::pair{0.0, 1.0}, std::pair{1.0, 2.0}}) both.add(even_numbers(from, to));
    CHECK(both.mean() == test::near(1.0));
    CHECK(both.percentile(0.75) == test::near(1.5).epsilon(0.006));
    low.add(even_numbers(1, 2));
    CHECK(distance_between(low, both) == 0);
}

TEST_CASE("Histograms of the same numbers are no distance apart, and moved ones as far as they were moved") {
    const Histogram numbers = even_numbers(1, 2);
    CHECK(distance_between(numbers, numbers) == 0);
    for (const double shift : {0.1, 1.0, 30.0})
        CHECK(distance_between(numbers, even_numbers(1 + shift, 2 + shift)) == test::near(shift).epsilon(0.006));
    // Of zeros and ones in equal parts, half must move by one to become zeros alone.
    Histogram mixed, zeros;
    for (const double value : {0.0, 1.0}) mixed.add(value);
    zeros.add(0);
    CHECK(distance_between(mixed, zeros) == test::near(0.5).epsilon(0.006));
}

}  // namespace tulle::evaluation
