// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/reproduce/reproduction.h"

namespace tulle::training {

// Shipped weights, with the paper's features and with ours.
struct ShippedWeights {
    std::string method, scene;
    int factor;
};

// What they were trained on and for how long, by their own cards.
void weights_table(const Reproduction& run, Page& page, const std::vector<ShippedWeights>& shipped);

}  // namespace tulle::training
