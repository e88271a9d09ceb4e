// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/interval.h"

#include "tests/support/near.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::evaluation {

TEST_CASE("Equal values have no interval around their mean, and a single one an unbounded interval") {
    CHECK(interval_of({3, 3, 3}).mean == 3);
    CHECK(interval_of({3, 3, 3}).half_width == 0);
    CHECK(interval_of({3}).mean == 3);
    CHECK(std::isinf(interval_of({3}).half_width));
}

TEST_CASE("The interval of three values is that of the textbook") {
    // Standard deviation 1, so 4.3027 / √3.
    CHECK(interval_of({1, 2, 3}).mean == test::near(2));
    CHECK(interval_of({1, 2, 3}).half_width == test::near(4.3027 / std::sqrt(3.0)));
}

TEST_CASE("The interval goes on smoothly beyond the table of Student's t") {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(i % 2);
    const auto t_of = [&](size_t count) {
        const std::vector<double> few(values.begin(), values.begin() + static_cast<long>(count));
        const auto n = static_cast<double>(count);
        return interval_of(few).half_width / std::sqrt(0.25 * n / (n - 1) / n);
    };
    CHECK(t_of(22) == test::near(2.0796).epsilon(2e-4));
    CHECK(t_of(1000) == test::near(1.9623).epsilon(1e-4));
}

TEST_CASE("Of many samples of a known distribution 95 in 100 have its mean within their interval") {
    Random random(1);
    int within = 0;
    constexpr int trials = 4000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> values;
        for (int i = 0; i < 16; ++i) values.push_back(random.uniform() + random.uniform() + random.uniform());
        const Interval interval = interval_of(values);
        if (std::abs(interval.mean - 1.5) < interval.half_width) ++within;
    }
    CHECK(within / static_cast<double>(trials) == doctest::Approx(0.95).epsilon(0.01));
}

}  // namespace tulle::evaluation
