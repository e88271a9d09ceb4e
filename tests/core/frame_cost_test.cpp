// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/frame_cost.h"

#include <doctest/doctest.h>

using namespace tulle;

TEST_CASE("The cost of a frame is told with its mean where a few slow frames hide in the median") {
    CHECK(frame_cost({2, 1, 3}).in_words() == "2 ms per frame");
    const FrameCost uneven = frame_cost({28, 28, 28, 28, 6888});
    CHECK(uneven.median == 28);
    CHECK(uneven.mean == 1400);
    CHECK(uneven.in_words() == "28 ms per frame (median; 1.4e+03 ms on average)");
    CHECK(frame_cost({}).in_words() == "0 ms per frame");
}
