// SPDX-License-Identifier: Apache-2.0
// From what a scene says about upscaling to the weights, the coarse cloth and the upscaler.
#pragma once

#include "tulle/methods/upscaling/upscaling_kind.h"
#include "tulle/scene/families/upscaling/coarsen.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::scene {

// One stage with everything found: its weights are loaded and fit.
struct PlannedStage {
    const methods::UpscalingKind* kind = nullptr;
    int factor = 2;
    std::optional<methods::UpscalingModel> model;  // none: interpolation
};

// What a method will do with a scene.
struct UpscalingPlan {
    std::vector<PlannedStage> stages;  // from coarse to fine
    CoarseningLaw law;                 // for all of them together
};

// Throws an Error that says what to train or to name if there are no weights, or if those that are do not fit.
UpscalingPlan plan_upscaling(const Scene& scene, const Method& method);

// models/<method>-<scene>-x<factor>-<features>.safetensors
std::string weights_name(const std::string& method, const std::string& scene, int factor, methods::Features features);

std::unique_ptr<methods::Upscaler> make_upscaler(const UpscalingPlan& plan, const methods::FineCloth& fine);

}  // namespace tulle::scene
