// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/workflows/animation.h"
#include "tulle/workflows/upscale.h"

#include <memory>

namespace tulle::workflows {

// Throws an Error that says what is missing or does not fit.
std::unique_ptr<Animation> open_coarse_animation(const UpscaleSettings& settings);

}  // namespace tulle::workflows
