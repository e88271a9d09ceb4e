// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/scene/upscaling.h"

#include <fmt/format.h>

#include <cstdlib>

namespace tulle::scene {

namespace fs = std::filesystem;
using methods::Features;
using methods::Scaling;

namespace {

bool is_learned(const std::string& method) { return method == "miniature" || method == "hierarchy"; }

Features features_of(const Scene& scene, const Method& method) {
    return scene.upscaling.features.value_or(method.paper ? Features::Paper : Features::Local);
}

geometry::GridSize grid_of(const Scene& scene) {
    const auto* grid = std::get_if<GridShape>(&scene.cloth.shape);
    return grid ? grid->size : geometry::GridSize{0, 0};
}

std::string trained_on(const Scene& scene) {
    return scene.upscaling.trained_on.empty() ? scene.name : scene.upscaling.trained_on;
}

// In the order in which they are wished for. Local features know no place, so the general model does for any scene,
// and a hierarchy's networks for any number of levels.
std::vector<std::string> weights_wanted(const std::string& method, const std::string& scene, int factor,
                                        Features features) {
    std::vector<std::string> names = {weights_name(method, scene, factor, features)};
    if (features != Features::Local) return names;
    if (method == "hierarchy") names.push_back(weights_name(method, scene, 4, features));
    names.push_back(weights_name(method, "general", factor, features));
    if (method == "hierarchy") names.push_back(weights_name(method, "general", 4, features));
    return names;
}

fs::path find_weights(const Scene& scene, const std::string& method, int factor, Features features) {
    const std::vector<std::string> names = weights_wanted(method, trained_on(scene), factor, features);
    const std::vector<fs::path> folders = model_folders(scene.folder);
    std::vector<std::string> looked_in;
    for (const fs::path& folder : folders) looked_in.push_back(folder.string());
    for (const std::string& name : names)
        for (const fs::path& folder : folders)
            if (fs::exists(folder / name)) return folder / name;
    throw Error(
        "there are no weights for {} on '{}' at factor {} with {} features ({} is in none of {}); train some with "
        "`tulle train`, or name a file with --weights",
        method, scene.name, factor, to_string(features), names.front(), fmt::join(looked_in, ", "));
}

PlannedStage plan_stage(const Scene& scene, const UpscalingStage& stage, Features features) {
    PlannedStage planned{.method = stage.method, .factor = stage.factor, .model = {}};
    if (!is_learned(stage.method)) return planned;
    const fs::path file =
        stage.weights.empty() ? find_weights(scene, stage.method, stage.factor, features) : stage.weights;
    planned.model = methods::load_trained_model(file);
    check_fits(*planned.model,
               {.method = stage.method, .scene = trained_on(scene), .factor = stage.factor, .grid = grid_of(scene)});
    return planned;
}

std::vector<UpscalingStage> stages_of(const Scene& scene, const Method& method) {
    if (method.name != "cascade")
        return {{.method = method.name,
                 .factor = scene.upscaling.factor.value_or(method.name == "hierarchy" ? 4 : 2),
                 .weights = scene.upscaling.weights}};
    if (scene.upscaling.stages.empty())
        throw Error("'{}' has no cascade: list its stages with [[upscaling.stages]]", scene.source);
    return scene.upscaling.stages;
}

}  // namespace

std::string weights_name(const std::string& method, const std::string& scene, int factor, Features features) {
    return fmt::format("{}-{}-x{}-{}.safetensors", method, scene, factor, to_string(features));
}

std::vector<fs::path> model_folders(const fs::path& scene_folder) {
    std::vector<fs::path> folders;
    if (const char* named = std::getenv("TULLE_MODELS")) folders.emplace_back(named);
    const fs::path beside = (scene_folder / ".." / "models").lexically_normal();
    folders.push_back(beside);
    if (beside != "models") folders.emplace_back("models");
    return folders;
}

UpscalingPlan plan_upscaling(const Scene& scene, const Method& method) {
    UpscalingPlan plan;
    plan.law.factor = 1;
    for (const UpscalingStage& stage : stages_of(scene, method)) {
        plan.stages.push_back(plan_stage(scene, stage, features_of(scene, method)));
        plan.law.factor *= stage.factor;
    }
    // The coarse cloth is calibrated for one factor: that of the first stage's own scene and no cascade.
    const std::optional<methods::TrainedModel>& model = plan.stages.front().model;
    const bool knows_scene = model && plan.stages.size() == 1 && model->card.scene == trained_on(scene) &&
                             model->card.factor == plan.law.factor && model->card.scaling == Scaling::Calibrated;
    if (scene.upscaling.calibration)
        plan.law.calibration = *scene.upscaling.calibration;
    else if (knows_scene)
        plan.law.calibration = model->card.calibration;
    const bool calibrated = scene.upscaling.calibration || knows_scene;
    plan.law.scaling = scene.upscaling.scaling.value_or(method.paper ? Scaling::Paper
                                                        : calibrated ? Scaling::Calibrated
                                                                     : Scaling::Similarity);
    if (plan.law.scaling == Scaling::Calibrated && !calibrated)
        throw Error(
            "{}: nothing is calibrated for '{}' at factor {}; set upscaling.scaling = \"similarity\", or give "
            "upscaling.calibration",
            scene.upscaling.where, scene.name, plan.law.factor);
    plan.law.thin_air = plan.stages.front().method != "hierarchy";
    return plan;
}

}  // namespace tulle::scene
