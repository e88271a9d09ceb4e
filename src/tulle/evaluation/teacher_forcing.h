// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/methods/upscaler.h"

#include <vector>

namespace tulle::evaluation {

struct DistanceSummary {
    double mean = 0;  // [m]
    double p95 = 0;   // [m]
    double max = 0;   // [m]
};

DistanceSummary summarise(std::vector<double> distances);

// How far the upscaler is from a full simulation whose own coarse vertices it is given: what the network is worth,
// without the coarse simulation's error. `coarse_vertices` are indices of the sequence's.
DistanceSummary teacher_forced_error(const methods::Upscaler& upscaler, const std::vector<int>& coarse_vertices,
                                     const datasets::Sequence& sequence, long every_frame = 1);

}  // namespace tulle::evaluation
