// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace tulle::scene {

// A way to advance a cloth, as named on the command line: "admm", or with a variant "admm:5".
struct Method {
    std::string name;
    std::optional<int> variant;  // iterations of admm and xpbd, Newton steps of implicit_cg

    std::string to_string() const;
};

const std::vector<physics::SolverSettings>& all_solvers();  // one of each, with the default settings
std::vector<std::string> method_names();

// Throws an Error that lists the valid names.
Method parse_method(const std::string& text);

// The settings with the method's variant put in.
physics::SolverSettings with_variant(physics::SolverSettings settings, const Method& method);

}  // namespace tulle::scene
