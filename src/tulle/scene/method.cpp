// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/method.h"

#include "tulle/core/error.h"
#include "tulle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tulle::scene {

namespace {

// Where a variant goes; null where a solver has none.
int* variant_of(physics::SolverSettings& settings) {
    if (auto* admm = std::get_if<physics::ProjectiveDynamicsSettings>(&settings)) return &admm->iterations;
    if (auto* implicit = std::get_if<physics::ImplicitEulerSettings>(&settings)) return &implicit->newton_steps;
    if (auto* xpbd = std::get_if<physics::XpbdSettings>(&settings)) return &xpbd->iterations;
    return nullptr;
}

int parse_variant(const std::string& text, const std::string& digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > 1'000'000)
        throw Error("method '{}': the variant after the colon must be a whole number from 1 to 1000000", text);
    return value;
}

}  // namespace

std::string Method::to_string() const {
    if (paper) return name + ":paper";
    return variant ? fmt::format("{}:{}", name, *variant) : name;
}

bool Method::is_upscaling() const {
    const std::vector<std::string> names = upscaling_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<physics::SolverSettings>& all_solvers() {
    static const std::vector<physics::SolverSettings> solvers = {
        physics::ProjectiveDynamicsSettings{}, physics::ImplicitEulerSettings{}, physics::MassSpringSettings{},
        physics::XpbdSettings{}, physics::NewtonSettings{}};
    return solvers;
}

std::vector<std::string> upscaling_names() {
    return {"miniature", "hierarchy", "cascade", "bilinear", "biquadratic", "bicubic"};
}

std::vector<std::string> method_names() {
    std::vector<std::string> names = solver_names();
    for (const std::string& name : upscaling_names()) names.push_back(name);
    return names;
}

std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const physics::SolverSettings& settings : all_solvers()) names.push_back(physics::method_name(settings));
    return names;
}

Method parse_method(const std::string& text) {
    const size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const std::vector<std::string> names = method_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw Error("unknown method '{}'; the methods are {}{}", name, fmt::join(names, ", "),
                    suggestion(name, names).starts_with("; did") ? suggestion(name, names) : "");
    if (colon == std::string::npos) return {.name = name, .variant = {}};
    const std::string variant = text.substr(colon + 1);
    if (found - names.begin() >= static_cast<long>(all_solvers().size())) {
        if ((name != "miniature" && name != "hierarchy") || variant != "paper")
            throw Error("method '{}': write '{}'{}", text, name,
                        name == "miniature" || name == "hierarchy" ? fmt::format(" or '{}:paper'", name) : "");
        return {.name = name, .variant = {}, .paper = true};
    }
    physics::SolverSettings settings = all_solvers()[static_cast<size_t>(found - names.begin())];
    if (!variant_of(settings)) throw Error("method '{}': {} has no variants; write '{}'", text, name, name);
    return {.name = name, .variant = parse_variant(text, variant)};
}

physics::SolverSettings with_variant(physics::SolverSettings settings, const Method& method) {
    if (method.variant) *variant_of(settings) = *method.variant;
    return settings;
}

}  // namespace tulle::scene
