// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/plan.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/upscaling/upscaling_family.h"
#include "tulle/scene/find_weights.h"

#include <fmt/format.h>

namespace tulle::scene {

namespace fs = std::filesystem;
using methods::Features;
using methods::Scaling;

namespace {

using methods::UpscalingKind;

Features features_wished(const Scene& scene, const Method& method) {
    return scene.upscaling.features.value_or(is_paper(method) ? Features::Paper : Features::Canonical);
}

geometry::GridSize grid_of(const Scene& scene) {
    const auto* grid = std::get_if<GridShape>(&scene.cloth.shape);
    return grid ? grid->size : geometry::GridSize{0, 0};
}

std::string trained_on(const Scene& scene) {
    return scene.upscaling.trained_on.empty() ? scene.name : scene.upscaling.trained_on;
}

// In the order in which they are wished for. Canonical features know no place, so the general model does for any scene.
std::vector<std::string> weights_wanted(const UpscalingKind& kind, const std::string& scene, int factor,
                                        Features features) {
    if (!is_canonical(features)) return {weights_name(kind.name(), scene, factor, features)};
    std::vector<std::string> names;
    for (const std::string& taught : {scene, std::string("general")}) {
        names.push_back(weights_name(kind.name(), taught, factor, features));
        if (kind.fits_any_factor()) names.push_back(weights_name(kind.name(), taught, kind.usual_factor(), features));
    }
    return names;
}

// Which factors there are weights for, as advice; empty: none at all.
std::string other_factors(const Scene& scene, const UpscalingKind& kind, Features features) {
    std::vector<int> factors;
    constexpr int largest = 16;
    for (int factor = 2; factor <= largest; ++factor)
        for (const std::string& name : weights_wanted(kind, trained_on(scene), factor, features))
            for (const fs::path& folder : model_folders(scene.folder))
                if (fs::exists(folder / name) && (factors.empty() || factors.back() != factor))
                    factors.push_back(factor);
    return factors.empty() ? "" : fmt::format("choose a factor that has some (--factor {})", fmt::join(factors, ", "));
}

fs::path weights_of(const Scene& scene, const UpscalingKind& kind, int factor, Features features) {
    return scene::find_weights(scene.folder, weights_wanted(kind, trained_on(scene), factor, features),
                               fmt::format("for {} on '{}' at factor {} with {} features", kind.name(), scene.name,
                                           factor, to_string(features)),
                               other_factors(scene, kind, features));
}

PlannedStage plan_stage(const Scene& scene, const UpscalingStage& stage, Features features) {
    const UpscalingKind& kind = methods::upscaling_kind(stage.method);
    PlannedStage planned{.kind = &kind, .factor = stage.factor, .model = {}};
    if (!kind.is_learned()) return planned;
    const fs::path file = stage.weights.empty() ? weights_of(scene, kind, stage.factor, features) : stage.weights;
    planned.model = methods::load_upscaling_model(file);
    check_fits(*planned.model, {.method = stage.method,
                                .scene = trained_on(scene),
                                .factor = stage.factor,
                                .grid = grid_of(scene),
                                .any_factor = kind.fits_any_factor()});
    return planned;
}

std::vector<UpscalingStage> stages_of(const Scene& scene, const Method& method) {
    if (method.name != cascade_name)
        return {{.method = method.name,
                 .factor = scene.upscaling.factor.value_or(methods::upscaling_kind(method.name).usual_factor()),
                 .weights = scene.upscaling.weights}};
    if (scene.upscaling.stages.empty())
        throw Error("'{}' has no cascade: list its stages with [[upscaling.stages]]", scene.source);
    return scene.upscaling.stages;
}

// None: whatever there is.
std::optional<Scaling> scaling_wanted(const Scene& scene, const Method& method) {
    if (!method.variant.empty() && !is_paper(method)) return methods::parse_scaling(method.variant);
    if (scene.upscaling.scaling || !is_paper(method)) return scene.upscaling.scaling;
    return Scaling::Paper;
}

// An interpolation has no weights, but may show the coarse cloth that others are calibrated for: those that the scene
// names, or the miniature's.
methods::UpscalingModel weights_to_borrow_from(const Scene& scene, int factor) {
    return methods::load_upscaling_model(
        scene.upscaling.weights.empty()
            ? weights_of(scene, methods::upscaling_kind("miniature"), factor, Features::Canonical)
            : scene.upscaling.weights);
}

// The coarse cloth is calibrated for one scene and one factor: that of the weights, and no cascade.
std::optional<methods::Calibration> find_calibration(const Scene& scene, const UpscalingPlan& plan,
                                                     const std::optional<Scaling>& wanted) {
    if (scene.upscaling.calibration || plan.stages.size() > 1 || wanted == Scaling::Paper)
        return scene.upscaling.calibration;
    std::optional<methods::UpscalingModel> model = plan.stages.front().model;
    if (!model && wanted == Scaling::Calibrated) model = weights_to_borrow_from(scene, plan.law.factor);
    const bool knows_scene = model && model->card.scene == trained_on(scene) && model->part.factor == plan.law.factor &&
                             model->part.scaling == Scaling::Calibrated;
    if (!knows_scene) return {};
    return model->part.calibration;
}

}  // namespace

std::string weights_name(const std::string& method, const std::string& scene, int factor, Features features) {
    return fmt::format("{}-{}-x{}-{}.safetensors", method, scene, factor, to_string(features));
}

UpscalingPlan plan_upscaling(const Scene& scene, const Method& method) {
    UpscalingPlan plan;
    plan.law.factor = 1;
    for (const UpscalingStage& stage : stages_of(scene, method)) {
        plan.stages.push_back(plan_stage(scene, stage, features_wished(scene, method)));
        plan.law.factor *= stage.factor;
    }
    const std::optional<Scaling> wanted = scaling_wanted(scene, method);
    const std::optional<methods::Calibration> calibration = find_calibration(scene, plan, wanted);
    plan.law.calibration = calibration.value_or(methods::Calibration{});
    plan.law.scaling = wanted.value_or(calibration ? Scaling::Calibrated : Scaling::Similarity);
    if (plan.law.scaling == Scaling::Calibrated && !calibration)
        throw Error(
            "{}: nothing is calibrated for '{}' at factor {}; set upscaling.scaling = \"similarity\", or give "
            "upscaling.calibration",
            scene.upscaling.where, scene.name, plan.law.factor);
    plan.law.thin_air = plan.stages.front().kind->paper_thins_air();
    return plan;
}

}  // namespace tulle::scene
