// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/scene.h"

#include <string>
#include <vector>

namespace tulle::workflows {

// What of a result is due to the coarse cloth, and what to the upscaling: {similarity, calibrated} × {bilinear,
// bicubic, a network}. All rows of a scaling show the same coarse cloth, step by step.
struct Ablation {
    scene::Scene scene;                // with the factor and the calibration of the network, for all rows
    std::vector<std::string> methods;  // "bilinear:similarity", …
    std::string left_out;              // why there are no calibrated rows; empty: there are
};

// `network`: "miniature" or "hierarchy".
Ablation ablation_of(const scene::Scene& scene, const std::string& network);

}  // namespace tulle::workflows
