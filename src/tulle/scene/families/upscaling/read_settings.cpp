// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/solvers.h"
#include "tulle/scene/families/upscaling/upscaling_family.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

namespace {

const IntegerRule factor_rule = {.min = 2, .max = 64};

template <typename Value, typename Parse>
std::vector<std::pair<std::string, Value>> options(const std::vector<std::string>& names, const Parse& parse) {
    std::vector<std::pair<std::string, Value>> result;
    result.reserve(names.size());
    for (const std::string& name : names) result.emplace_back(name, parse(name));
    return result;
}

UpscalingStage read_stage(TableReader& table) {
    UpscalingStage stage;
    std::vector<std::string> names;
    for (const auto& kind : methods::upscaling_kinds()) names.push_back(kind->name());
    stage.method = table.choice("method", options<std::string>(names, [](const auto& name) { return name; }));
    IntegerRule rule = factor_rule;
    rule.fallback = 2;
    stage.factor = table.integer("factor", rule);
    if (table.has("weights")) stage.weights = table.file("weights");
    table.finish();
    return stage;
}

methods::Calibration read_calibration(TableReader table) {
    methods::Calibration calibration;
    calibration.mass = table.number("mass", {.max = 1e3, .positive = true, .fallback = 1});
    calibration.stretch = table.number("stretch", {.max = 1e3, .positive = true, .fallback = 1});
    calibration.bend = table.number("bend", {.min = 0, .max = 1e3, .fallback = 1});
    calibration.pin = table.number("pin", {.max = 1e3, .positive = true, .fallback = 1});
    table.finish();
    return calibration;
}

}  // namespace

void UpscalingFamily::read_settings(TableReader& root, TableReader&, Scene& scene) const {
    TableReader upscaling = root.table("upscaling");
    UpscalingSettings& settings = scene.upscaling;
    settings.where = upscaling.where();
    if (upscaling.has("factor")) settings.factor = upscaling.integer("factor", factor_rule);
    if (upscaling.has("features"))
        settings.features =
            upscaling.choice("features", options<methods::Features>(methods::feature_names(), methods::parse_features));
    if (upscaling.has("scaling"))
        settings.scaling =
            upscaling.choice("scaling", options<methods::Scaling>(methods::scaling_names(), methods::parse_scaling));
    if (upscaling.has("calibration")) settings.calibration = read_calibration(upscaling.table("calibration"));
    if (upscaling.has("weights")) settings.weights = upscaling.file("weights");
    settings.trained_on = upscaling.text("trained_on", "");
    settings.solver =
        upscaling.choice("solver", options<std::string>(solver_names(), [](const auto& name) { return name; }),
                         std::optional<std::string>("admm"));
    settings.contact = upscaling.boolean("contact", true);
    for (TableReader& stage : upscaling.tables("stages")) settings.stages.push_back(read_stage(stage));
    upscaling.finish();
}

}  // namespace tulle::scene
