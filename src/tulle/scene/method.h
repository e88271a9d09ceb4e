// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace tulle::scene {

// A way to advance a cloth, as named on the command line: a solver, "admm" or with a variant "admm:5"; or a method that
// simulates a coarser cloth and upscales it, "miniature" or with the paper's own settings "miniature:paper".
struct Method {
    std::string name;
    std::optional<int> variant;  // iterations of admm and xpbd, Newton steps of implicit_cg
    bool paper = false;          // the paper's features and scaling instead of ours

    std::string to_string() const;
    bool is_upscaling() const;
};

const std::vector<physics::SolverSettings>& all_solvers();  // one of each, with the default settings
std::vector<std::string> solver_names();
std::vector<std::string> upscaling_names();  // miniature, hierarchy, cascade, bilinear, biquadratic, bicubic
std::vector<std::string> method_names();     // both

// Throws an Error that lists the valid names.
Method parse_method(const std::string& text);

// The settings with the method's variant put in.
physics::SolverSettings with_variant(physics::SolverSettings settings, const Method& method);

}  // namespace tulle::scene
