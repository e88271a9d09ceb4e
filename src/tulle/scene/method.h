// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tulle::scene {

// A way to advance a cloth, as named on the command line: "admm", or with a variant "admm:5" or "miniature:paper",
// and with projections after it "hierarchy+inextensible". What
// there is, and what a variant means, is for the families to say (families/families.h).
struct Method {
    std::string name;
    std::string variant;                             // what follows the colon; empty: nothing
    bool inextensible = false, quasistatic = false;  // what follows a plus: projections beside those of the scene

    std::string to_string() const;
};

std::vector<std::string> method_names();

// Throws an Error that lists the valid names.
Method parse_method(const std::string& text);

}  // namespace tulle::scene
