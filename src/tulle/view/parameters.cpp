// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/parameters.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::view {

namespace {

const std::string none = "none", automatic = "automatic";

bool is_any(const std::vector<std::string>& methods, const std::vector<std::string>& names) {
    return std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
        return std::find(names.begin(), names.end(), scene::parse_method(method).name) != names.end();
    });
}

Parameter stiffness(const std::string& name, const std::string& label) {
    return {.name = name,
            .label = label,
            .unit = "×",
            .min = 0.1,
            .max = 10,
            .is_logarithmic = true,
            .rebuilds = true,
            .fallback = 1.0};
}

double number_of(const ParameterValues& values, const std::string& name, double fallback) {
    const auto found = values.find(name);
    return found == values.end() ? fallback : std::get<double>(found->second);
}

std::string choice_of(const ParameterValues& values, const std::string& name, const std::string& fallback) {
    const auto found = values.find(name);
    return found == values.end() ? fallback : std::get<std::string>(found->second);
}

void set(scene::Overrides& overrides, const std::string& key, double value) {
    overrides.push_back(fmt::format("{}={}", key, value));
}

int admm_iterations(const scene::Scene& scene) {
    return std::get<physics::ProjectiveDynamicsSettings>(scene.solvers.at("admm").settings).iterations;
}

void add_material(const scene::Scene& scene, const ParameterValues& values, scene::Overrides& overrides) {
    const double stretch = number_of(values, "stretch", 1), bend = number_of(values, "bend", 1);
    if (const auto* springs = std::get_if<physics::GridMaterial>(&scene.cloth.material)) {
        if (stretch != 1) set(overrides, "cloth.stretch.stiffness", stretch * springs->stretch.stiffness);
        if (stretch != 1) set(overrides, "cloth.shear.stiffness", stretch * springs->shear.stiffness);
        if (bend != 1) set(overrides, "cloth.bend.stiffness", bend * springs->bend.stiffness);
        return;
    }
    const auto& fabric = std::get<scene::Fabric>(scene.cloth.material);
    const bool is_grid = std::holds_alternative<scene::GridShape>(scene.cloth.shape);
    if (stretch != 1) set(overrides, "cloth.membrane.stretch", stretch * fabric.stretch);
    if (stretch != 1 && is_grid) set(overrides, "cloth.membrane.shear", stretch * fabric.shear);
    if (bend != 1) set(overrides, "cloth.membrane.bending", bend * fabric.bending);
}

}  // namespace

std::vector<Parameter> parameters_of(const scene::Scene& scene, const std::vector<std::string>& methods) {
    std::vector<Parameter> list;
    if (scene.wind)
        list.push_back({.name = "wind",
                        .label = "Wind",
                        .unit = "m/s",
                        .kind = ParameterKind::Vector,
                        .max = std::max(20.0, std::ceil(scene.wind->velocity.norm())),
                        .fallback = scene.wind->velocity});
    list.push_back({.name = "gravity",
                    .label = "Gravity",
                    .unit = "m/s²",
                    .kind = ParameterKind::Vector,
                    .max = std::max(20.0, std::ceil(scene.gravity.norm())),
                    .fallback = scene.gravity});
    list.push_back(stiffness("stretch", "Stretch stiffness"));
    list.push_back(stiffness("bend", "Bending stiffness"));
    const int iterations = admm_iterations(scene);
    list.push_back({.name = "iterations",
                    .label = "Iterations",
                    .unit = "",
                    .kind = ParameterKind::Integer,
                    .min = 1,
                    .max = std::max(100.0, static_cast<double>(iterations)),
                    .rebuilds = true,
                    .fallback = static_cast<double>(iterations)});
    if (is_any(methods, {"miniature", "hierarchy", "bilinear", "biquadratic", "bicubic", "butterfly"}))
        list.push_back({.name = "factor",
                        .label = "Factor",
                        .unit = "",
                        .kind = ParameterKind::Choice,
                        .rebuilds = true,
                        .choices = {automatic, "2", "3", "4", "8"},
                        .fallback = automatic});
    list.push_back({.name = "projection",
                    .label = "Projection",
                    .unit = "",
                    .kind = ParameterKind::Choice,
                    .rebuilds = true,
                    .choices = {none, "inextensible", "quasistatic"},
                    .fallback = none});
    return list;
}

void check_value(const Parameter& parameter, const ParameterValue& value) {
    const auto fail = [&](const std::string& what) { throw Error("{} must be {}", parameter.name, what); };
    if (parameter.kind == ParameterKind::Vector) {
        const auto* vector = std::get_if<Vector3>(&value);
        if (!vector || vector->norm() > parameter.max * (1 + 1e-6))
            fail(fmt::format("three numbers within {}", parameter.max));
        return;
    }
    if (parameter.kind == ParameterKind::Choice) {
        const auto* choice = std::get_if<std::string>(&value);
        const auto& choices = parameter.choices;
        if (!choice || std::find(choices.begin(), choices.end(), *choice) == choices.end())
            fail(fmt::format("one of {}", fmt::join(choices, ", ")));
        return;
    }
    const auto* number = std::get_if<double>(&value);
    const bool is_within = number && *number >= parameter.min * (1 - 1e-9) && *number <= parameter.max * (1 + 1e-9);
    if (!is_within || (parameter.kind == ParameterKind::Integer && *number != std::round(*number)))
        fail(fmt::format("from {} to {}", parameter.min, parameter.max));
}

scene::Overrides overrides_for(const scene::Scene& scene, const ParameterValues& values) {
    scene::Overrides overrides;
    add_material(scene, values, overrides);
    const double iterations = number_of(values, "iterations", 0);
    if (iterations > 0) overrides.push_back(fmt::format("solver.admm.iterations={}", std::lround(iterations)));
    const std::string factor = choice_of(values, "factor", automatic);
    if (factor != automatic) overrides.push_back("upscaling.factor=" + factor);
    return overrides;
}

std::string method_for(const std::string& method, const ParameterValues& values) {
    const std::string projection = choice_of(values, "projection", none);
    return projection == none || method.find('+') != std::string::npos ? method : method + "+" + projection;
}

}  // namespace tulle::view
