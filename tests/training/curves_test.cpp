// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/curves.h"

#include <doctest/doctest.h>

namespace tulle::training {

TEST_CASE("The curves show both losses and mark the best epoch") {
    const std::vector<EpochRecord> history = {{.epoch = 1, .training_loss = 0.1, .validation_loss = 0.3},
                                              {.epoch = 2, .training_loss = 0.05, .validation_loss = 0.2},
                                              {.epoch = 3, .training_loss = 0.02, .validation_loss = 0.4}};
    const io::LinePlot plot = curves_of(history, "A training", Loss::Mse);
    REQUIRE(plot.series.size() == 3);
    CHECK(plot.series[0].y == std::vector<double>{0.1, 0.05, 0.02});
    CHECK(plot.series[2].x == std::vector<double>{2});
    CHECK(plot.series[2].labels == std::vector<std::string>{"0.2"});
    CHECK(plot.log_y);
    CHECK(io::svg_of(curves_of({}, "An empty training", Loss::Rmse)).find("</svg>") != std::string::npos);
}

}  // namespace tulle::training
