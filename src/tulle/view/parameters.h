// SPDX-License-Identifier: Apache-2.0
// What a person can change of a scene while it runs.
#pragma once

#include "tulle/scene/scene.h"
#include "tulle/view/client_message.h"

#include <map>
#include <string>
#include <vector>

namespace tulle::view {

enum class ParameterKind { Number, Integer, Vector, Choice };

struct Parameter {
    std::string name, label, unit;
    ParameterKind kind = ParameterKind::Number;
    double min = 0, max = 0;  // a vector is within a ball of radius max
    bool is_logarithmic = false;
    bool rebuilds = false;
    std::vector<std::string> choices = {};
    ParameterValue fallback;  // what the scene says
};

using ParameterValues = std::map<std::string, ParameterValue>;  // without those that are as the scene says

std::vector<Parameter> parameters_of(const scene::Scene& scene, const std::vector<std::string>& methods);

// Throws an Error unless the value fits.
void check_value(const Parameter& parameter, const ParameterValue& value);

// What the scene must be loaded with, and what a method must be called.
scene::Overrides overrides_for(const scene::Scene& scene, const ParameterValues& values);
std::string method_for(const std::string& method, const ParameterValues& values);

}  // namespace tulle::view
