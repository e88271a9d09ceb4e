// SPDX-License-Identifier: Apache-2.0
// From what a scene says about upscaling to an upscaler and the coarse cloth before it.
#pragma once

#include "tulle/methods/trained_model.h"
#include "tulle/methods/upscaler.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/coarsen.h"
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
    std::string method;
    int factor = 2;
    std::optional<methods::TrainedModel> model;  // none: interpolation
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

// Folders where weights are looked for: $TULLE_MODELS, models/ beside the scene's folder, models/ here.
std::vector<std::filesystem::path> model_folders(const std::filesystem::path& scene_folder);

// What an upscaler needs to know of the fine cloth.
struct FineCloth {
    geometry::TriangleMesh mesh;  // rest shape
    std::optional<geometry::GridSize> grid;
    double frame_time = 0.04;         // [s]
    geometry::TriangleMesh coarsest;  // of a mesh that is no grid: before all subdivisions of the plan
};

std::unique_ptr<methods::Upscaler> make_upscaler(const UpscalingPlan& plan, const FineCloth& fine);

// The model and the world must outlive the stepper.
std::unique_ptr<physics::Stepper> make_upscaling_stepper(const Scene& scene, const physics::ClothModel& model,
                                                         const physics::World& world, const Method& method);

}  // namespace tulle::scene
