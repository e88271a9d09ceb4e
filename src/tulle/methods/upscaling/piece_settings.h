// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/stiffness.h"
#include "tulle/methods/upscaling/trust.h"

namespace tulle::methods {

// How the pieces of a cloth are given to a network, and what is made of its answers.
struct PieceSettings {
    Features features = Features::Canonical;
    double frame_time = 0.04;  // [s]
    Stiffness stiffness = {};
    Trust trust = {};
    bool corrects_coarse = false;  // vertices of the coarse cloth move too; patches with canonical features only
};

}  // namespace tulle::methods
