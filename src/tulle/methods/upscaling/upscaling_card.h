// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/grid_cloth.h"
#include "tulle/methods/model_card.h"
#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/scaling.h"
#include "tulle/methods/upscaling/trust.h"

#include <map>
#include <string>

namespace tulle::methods {

// What the model card of a miniature or a hierarchy tells besides.
struct UpscalingCard {
    int factor = 2;  // for the hierarchy 2 to the number of levels
    Features features = Features::Canonical;
    Scaling scaling = Scaling::Calibrated;
    Calibration calibration;
    bool corrects_coarse = false;        // the network moves vertices of the coarse cloth too
    std::map<std::string, Trust> trust;  // by network; of one that is missing every answer is taken
    geometry::GridSize grid{0, 0};       // fine grid it was trained on; zeros: several, or a mesh
};

std::string to_json(const UpscalingCard& card);
// The family's part of a card; throws an Error that names `source`.
UpscalingCard parse_upscaling_card(const ModelCard& card, const std::string& source);

}  // namespace tulle::methods
